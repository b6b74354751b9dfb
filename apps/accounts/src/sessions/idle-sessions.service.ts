import { Inject, Injectable } from '@nestjs/common'
import type { AccountsEnv } from '../env.js'
import { RevocationsService } from '../revocations/revocations.service.js'
import { ENV } from '../settings.module.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { SessionsRepository } from './sessions.repository.js'

const MINUTE_MS = 60_000
const BATCH = 200

/** Ends the sessions that nobody uses (OWASP ASVS 5, 7.3.1). */
@Injectable()
export class IdleSessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly revocations: RevocationsService,
    private readonly unitOfWork: UnitOfWorkService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  async endIdle(): Promise<void> {
    while ((await this.endSome()) === BATCH);
  }

  private endSome(): Promise<number> {
    return this.unitOfWork.run(async (tx, endedAt) => {
      const usedBefore = new Date(endedAt.getTime() - this.env.SESSION_IDLE_MINUTES * MINUTE_MS)
      const ids = await this.sessions.endUnused(tx, usedBefore, { endedAt, limit: BATCH })
      for (const id of ids) await this.revocations.record(tx, { kind: 'session', id, epoch: 1 })
      return ids.length
    })
  }
}
