import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import { CLOSED_FOR_MS, type DeletionRecord, POSTPONED_BY_MS } from './account-deletion.js'
import { AccountDeletionsRepository } from './account-deletions.repository.js'
import { DeletionStepsService } from './deletion-steps.service.js'

const BATCH = 20

/** Takes the next step of every deletion that is due. Replicas may do it at once: each step takes effect once. */
@Injectable()
export class DueDeletionsService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly steps: DeletionStepsService,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now()
    const due = await this.deletions.listDue(now, new Date(now.getTime() - CLOSED_FOR_MS), BATCH)
    const failures: unknown[] = []
    for (const deletion of due) await this.advance(deletion, now).catch((error: unknown) => failures.push(error))
    await this.steps.announceAgain()
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} accounts could not be deleted`)
  }

  /** What fails for one account must not keep the others. */
  private advance(deletion: DeletionRecord, now: Date): Promise<void> {
    return deletion.closedAt ? this.steps.erase(deletion) : this.close(deletion, now)
  }

  /** What cannot be closed now, as a validator was deposited for or a service is away, is tried again later, after the others. */
  private async close(deletion: DeletionRecord, now: Date): Promise<void> {
    const { userId } = deletion
    await this.steps.close(deletion).catch((error: unknown) => {
      this.logger.info({ err: error, userId }, 'an account cannot be deleted yet')
    })
    await this.deletions.postpone(userId, new Date(now.getTime() + POSTPONED_BY_MS))
  }
}
