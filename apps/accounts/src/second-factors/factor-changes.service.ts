import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { FactorNotice } from '../notices/factor-notice.js'
import { NoticesService } from '../notices/notices.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { SecondFactorRecord } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

export interface FactorChange {
  readonly tx: AccountsTransaction
  readonly now: Date
  /** The factors before the change. */
  readonly existing: readonly SecondFactorRecord[]
}

/** Changes the factors of a user, one change at a time, and mails the user about each. */
@Injectable()
export class FactorChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly factors: SecondFactorsRepository,
    private readonly notices: NoticesService,
  ) {}

  run<T>(userId: string, change: FactorNotice['change'], work: (change: FactorChange) => Promise<T>): Promise<T> {
    return this.unitOfWork.runAudited(async (tx, now) => {
      await this.factors.lock(tx, userId)
      const result = await work({ tx, now, existing: await this.factors.list(userId, tx) })
      await this.notices.send(tx, userId, { kind: 'second-factor', change, at: now })
      return result
    })
  }

  /** Mails the user, and changes nothing. */
  async notify(userId: string, change: FactorNotice['change']): Promise<void> {
    await this.unitOfWork.run((tx, at) => this.notices.send(tx, userId, { kind: 'second-factor', change, at }))
  }
}
