import { Injectable } from '@nestjs/common'
import { proofOf } from '@trestle/auth/claims'
import type { users } from '@trestle/contracts/accounts/users'
import type { Caller } from '@trestle/contracts/caller'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { PasswordConfirmationService } from './password-confirmation.service.js'
import { PasswordReplacementService } from './password-replacement.service.js'
import { requireDifferent } from './user.js'

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly confirmation: PasswordConfirmationService,
    private readonly passwords: PasswordsService,
    private readonly replacement: PasswordReplacementService,
    private readonly issuer: IssuerService,
  ) {}

  /** Changes the password of a user who knows it. The caller's token becomes invalid like all others, and is replaced. */
  async change(
    caller: Caller,
    { oldPassword, newPassword }: Input<typeof users.changePassword>['body'],
    origin: RequestOrigin,
  ): Promise<Reply<typeof users.changePassword>> {
    const { userId } = caller
    requireDifferent(oldPassword, newPassword)
    const user = await this.confirmation.requirePassword(userId, oldPassword, origin)
    const passwordHash = await this.passwords.accept(newPassword, user, origin.network)
    const { epoch, sessionId, updatedAt } = await this.replacement.change(user, passwordHash, { caller, origin })
    const session = { sessionId, proof: proofOf(caller) }
    const accessToken = await this.issuer.accountToken({ id: userId, email: user.emailCanonical, epoch }, session, updatedAt)
    return { updatedAt: updatedAt.toISOString(), accessToken }
  }
}
