import { Injectable } from '@nestjs/common'
import type { FactorAdded } from '@trestle/contracts/accounts/second-factors'
import type { Caller } from '@trestle/contracts/caller'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { type FactorChange, FactorChangesService } from './factor-changes.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { AMR, describeFactor, type SecondFactorRecord } from './second-factor.js'
import { SessionRestartService } from './session-restart.service.js'

/** What comes with the first factor: recovery codes, and the end of all other sessions. */
@Injectable()
export class FactorAdditionsService {
  constructor(
    private readonly changes: FactorChangesService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly sessions: SessionRestartService,
  ) {}

  add(caller: Caller, origin: RequestOrigin, store: (change: FactorChange) => Promise<SecondFactorRecord>): Promise<FactorAdded> {
    const { userId } = caller
    return this.changes.run(userId, 'added', async (change) => {
      const { tx, now, existing } = change
      const stored = await store(change)
      const factor = describeFactor(stored)
      if (existing.length > 0) return { factor }
      const recoveryCodes = await this.recoveryCodes.replace(tx, userId, now)
      const proof = { methods: ['pwd', AMR[stored.kind], 'mfa'], at: now }
      return { factor, recoveryCodes, accessToken: await this.sessions.restart(tx, caller, origin, { now, proof }) }
    })
  }
}
