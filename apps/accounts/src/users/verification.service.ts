import { Injectable } from '@nestjs/common'
import type { users } from '@trestle/contracts/accounts/users'
import type { Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { guessingThrottle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { alreadyVerified, invalidEmailToken } from './email-token.js'
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
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Verifies the address of a user, named by id or address, with the token that was mailed to it. */
  async verify(userRef: string, token: string, { network }: RequestOrigin): Promise<Verified> {
    const ref = parseUserRef(userRef)
    const verified = await this.throttling.attempt([guessingThrottle(network)], (now) => this.redeem(ref, token, now))
    if (!verified) throw invalidEmailToken()
    await this.throttling.rememberNetwork(verified.id, network)
    return verified
  }

  private async redeem(ref: UserRef | undefined, token: string, now: Date): Promise<Verified | undefined> {
    const owner = ref && (await this.tokens.findOwner(token, 'verification', now))
    if (!owner || !isNamedBy(owner, ref)) return undefined
    const email = await this.unitOfWork.run(async (tx) => {
      const signUp = await this.tokens.findPending(tx, token)
      if (!(await this.users.updateVerified(tx, owner.id, signUp, now))) throw alreadyVerified()
      await this.tokens.forgetPending(tx, owner.id)
      return signUp?.email ?? owner.email
    })
    return { id: owner.id, email, verifiedAt: now.toISOString(), code: 'UserVerified' }
  }
}
