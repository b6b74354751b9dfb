import { Injectable } from '@nestjs/common'
import type { users } from '@trestle/contracts/accounts/users'
import type { Reply } from '@trestle/contracts/endpoint'
import type { Origin } from '../throttling/origin.decorator.js'
import { networkGuessing } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { alreadyVerified, invalidToken } from './email-token.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { isNamedBy, parseUserRef, type UserRef } from './user.js'
import { UsersRepository } from './users.repository.js'

type Verified = Reply<typeof users.verify>

@Injectable()
export class VerificationService {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly tokens: EmailTokensRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Verifies the address of a user, who is named by id or address, with the token that was mailed there. */
  async verify(userRef: string, token: string, { network }: Origin): Promise<Verified> {
    const ref = parseUserRef(userRef)
    const verified = await this.throttling.attempt([networkGuessing(network)], (now) => this.redeem(ref, token, now))
    if (!verified) throw invalidToken()
    return verified
  }

  private async redeem(ref: UserRef | undefined, token: string, now: Date): Promise<Verified | undefined> {
    const owner = ref && (await this.tokens.findOwner(token, 'verification', now))
    if (!owner || !isNamedBy(owner, ref)) return undefined
    if (!(await this.users.verify(owner.id, now))) throw alreadyVerified()
    return { id: owner.id, email: owner.email, verifiedAt: now.toISOString(), code: 'UserVerified' }
  }
}
