import { Injectable } from '@nestjs/common'
import type { FactorProof } from '@trestle/auth/claims'
import type { ProviderIdentity } from '@trestle/contracts/accounts/identities'
import type { Caller } from '@trestle/contracts/caller'
import type { AccountsTransaction } from '../database.module.js'
import { GrantedRolesService } from '../identity-providers/granted-roles.service.js'
import { NoticesService } from '../notices/notices.service.js'
import { SessionRestartService } from '../second-factors/session-restart.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'

interface Unlinked {
  readonly caller: Caller
  readonly identity: ProviderIdentity
  readonly origin: RequestOrigin
  readonly proof: FactorProof | undefined
}

/** What ends with an identity. */
@Injectable()
export class UnlinkedIdentityService {
  constructor(
    private readonly grants: GrantedRolesService,
    private readonly sessions: SessionRestartService,
    private readonly notices: NoticesService,
  ) {}

  /** Its provider's roles, which nobody else would take back, and all other sessions. Returns the token of the one that stays. */
  async follow(tx: AccountsTransaction, { caller, identity, origin, proof }: Unlinked, now: Date): Promise<string> {
    const { provider, title = provider } = identity
    await this.grants.revoke(tx, caller.userId, provider, now)
    await this.notices.send(tx, caller.userId, { kind: 'identity-unlinked', provider: title, at: now })
    return this.sessions.restart(tx, caller, origin, { now, proof })
  }
}
