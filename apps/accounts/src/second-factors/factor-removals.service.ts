import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { FactorChangesService } from './factor-changes.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { unknownFactor } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'
import { SessionRestartService } from './session-restart.service.js'

@Injectable()
export class FactorRemovalsService {
  constructor(
    private readonly changes: FactorChangesService,
    private readonly factors: SecondFactorsRepository,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly sessions: SessionRestartService,
  ) {}

  /** With the last factor, the recovery codes and all other sessions end. */
  remove(caller: Caller, id: string, origin: RequestOrigin): Promise<{ accessToken?: string }> {
    const { userId } = caller
    return this.changes.run(userId, 'removed', async ({ tx, now, existing }) => {
      if (!(await this.factors.remove(tx, userId, id))) throw unknownFactor()
      if (existing.length > 1) return {}
      await this.recoveryCodes.removeAll(tx, userId)
      return { accessToken: await this.sessions.restart(tx, caller, origin, { now }) }
    })
  }

  /** By an administrator, for a user who has lost everything. */
  reset(userId: string): Promise<void> {
    return this.changes.run(userId, 'reset', async ({ tx, now, existing }) => {
      if (existing.length === 0) throw unknownFactor()
      await this.factors.removeAll(tx, userId)
      await this.recoveryCodes.removeAll(tx, userId)
      await this.sessions.end(tx, userId, now)
    })
  }
}
