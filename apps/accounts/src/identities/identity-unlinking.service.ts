import { Injectable } from '@nestjs/common'
import { proofOf } from '@trestle/auth/claims'
import type { Caller } from '@trestle/contracts/caller'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import { IdentitiesService } from './identities.service.js'
import { UnlinkedIdentityService } from './unlinked-identity.service.js'

interface Unlinking {
  readonly id: string
  readonly password?: string
}

@Injectable()
export class IdentityUnlinkingService {
  constructor(
    private readonly confirmation: PasswordConfirmationService,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly identities: IdentitiesService,
    private readonly unlinked: UnlinkedIdentityService,
  ) {}

  /** For the owner only: a stolen token must not take away a way to sign in. Returns the token that stays valid. */
  async unlink(caller: Caller, { id, password }: Unlinking, origin: RequestOrigin): Promise<string> {
    const user = await this.confirmation.requireOwner(caller, password, origin)
    return this.unitOfWork.runAudited(async (tx, now) => {
      const identity = await this.identities.remove(tx, user, id)
      return this.unlinked.follow(tx, { caller, identity, origin, proof: proofOf(caller) }, now)
    })
  }
}
