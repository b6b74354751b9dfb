import { Injectable } from '@nestjs/common'
import type { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { guessingThrottle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { invalidEmailToken } from './email-token.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { PasswordReplacementService } from './password-replacement.service.js'
import { isNamedBy, parseUserRef, type User, type UserRef } from './user.js'

@Injectable()
export class PasswordResetService {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly tokens: EmailTokensRepository,
    private readonly passwords: PasswordsService,
    private readonly replacement: PasswordReplacementService,
  ) {}

  /** Sets a new password for a user who has read the mail; a refused password does not use up the token. */
  async reset(
    userRef: string,
    token: string,
    { newPassword, endClientKeys = true, network }: Input<typeof users.resetPassword>['body'] & Pick<RequestOrigin, 'network'>,
  ): Promise<Reply<typeof users.resetPassword>> {
    const ref = parseUserRef(userRef)
    const owner = await this.throttling.attempt([guessingThrottle(network)], (now) => this.findOwner(ref, token, now))
    if (!owner) throw invalidEmailToken()
    const { updatedAt } = await this.replacement.reset(owner, await this.passwords.accept(newPassword, owner, network), endClientKeys)
    return { id: owner.id, updatedAt: updatedAt.toISOString() }
  }

  private async findOwner(ref: UserRef | undefined, token: string, now: Date): Promise<User | undefined> {
    const owner = ref && (await this.tokens.findOwner(token, 'password-reset', now))
    return owner && !owner.disabledAt && isNamedBy(owner, ref) ? owner : undefined
  }
}
