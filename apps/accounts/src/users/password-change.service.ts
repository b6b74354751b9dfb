import { Injectable } from '@nestjs/common'
import type { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { Origin } from '../throttling/origin.decorator.js'
import { perAccount } from '../throttling/throttle.js'
import { Issuer } from '../tokens/issuer.service.js'
import { PasswordReplacement } from './password-replacement.service.js'
import { requireDifferent, unknownUser, wrongPassword } from './user.js'
import { UsersRepository } from './users.repository.js'

@Injectable()
export class PasswordChange {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly replacement: PasswordReplacement,
    private readonly issuer: Issuer,
  ) {}

  /** Changes a password for somebody who knows it. The caller's token dies with all others, and a new one takes its place. */
  async change(
    userId: string,
    { oldPassword, newPassword }: Input<typeof users.changePassword>['body'],
    origin: Origin,
  ): Promise<Reply<typeof users.changePassword>> {
    const user = await this.users.find({ id: userId })
    if (!user) throw unknownUser()
    requireDifferent(oldPassword, newPassword)
    // Counted apart from sign-ins: guesses there must not keep a user who is signed in from changing the password.
    const verification = await this.passwords.check(user.passwordHash, oldPassword, [
      { key: `password change ${userId}`, rule: perAccount },
    ])
    if (!verification) throw wrongPassword()
    const passwordHash = await this.passwords.accept(newPassword, user)
    const { epoch, sessionId, updatedAt } = await this.replacement.change(user, passwordHash, origin)
    const accessToken = await this.issuer.accountToken({ id: userId, email: user.emailCanonical, epoch }, sessionId, updatedAt)
    return { updatedAt: updatedAt.toISOString(), accessToken }
  }
}
