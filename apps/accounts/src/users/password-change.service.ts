import { Injectable } from '@nestjs/common'
import type { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { perAccount } from '../throttling/throttle.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { PasswordReplacementService } from './password-replacement.service.js'
import { requireDifferent, unknownUser, wrongPassword } from './user.js'
import { UsersRepository } from './users.repository.js'

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly replacement: PasswordReplacementService,
    private readonly issuer: IssuerService,
  ) {}

  /** Changes the password of a user who knows it. The caller's token becomes invalid like all others, and is replaced. */
  async change(
    userId: string,
    { oldPassword, newPassword }: Input<typeof users.changePassword>['body'],
    origin: RequestOrigin,
  ): Promise<Reply<typeof users.changePassword>> {
    const user = await this.users.find({ id: userId })
    if (!user) throw unknownUser()
    requireDifferent(oldPassword, newPassword)
    // Counted apart from sign-ins: failures there must not keep a signed-in user from changing the password.
    const verification = await this.passwords.check(user.passwordHash, oldPassword, {
      throttles: [{ key: `password change ${userId}`, rule: perAccount }],
      place: { lane: 'known', turnOf: origin.network },
    })
    if (!verification) throw wrongPassword()
    const passwordHash = await this.passwords.accept(newPassword, user, origin.network)
    const { epoch, sessionId, updatedAt } = await this.replacement.change(user, passwordHash, origin)
    const accessToken = await this.issuer.accountToken({ id: userId, email: user.emailCanonical, epoch }, sessionId, updatedAt)
    return { updatedAt: updatedAt.toISOString(), accessToken }
  }
}
