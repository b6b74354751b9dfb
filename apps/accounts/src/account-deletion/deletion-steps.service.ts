import { Injectable } from '@nestjs/common'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { AccountClosingService } from './account-closing.service.js'
import type { DeletionRecord } from './account-deletion.js'
import { AccountErasureService } from './account-erasure.service.js'
import { InventoryService } from './inventory.service.js'

/** First an account is closed; a while later, when no token is valid any more, it is erased. */
@Injectable()
export class DeletionStepsService {
  constructor(
    private readonly inventory: InventoryService,
    private readonly closing: AccountClosingService,
    private readonly erasure: AccountErasureService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  async close({ userId }: DeletionRecord): Promise<void> {
    const inventory = await this.inventory.requireDeletable(userId)
    await this.unitOfWork.run(async (tx, now) => {
      // Whoever changed the address may not be the owner, who can still undo it.
      if (!(await this.erasure.mayBeUndone(tx, userId, now))) await this.closing.close(tx, userId, inventory, now)
    })
  }

  async erase({ userId }: DeletionRecord): Promise<void> {
    await this.erasure.deleteActivity(userId)
    await this.unitOfWork.run((tx, now) => this.erasure.erase(tx, userId, now))
  }

  async announceAgain(): Promise<void> {
    const userIds = await this.unitOfWork.run((tx, now) => this.erasure.announceAgain(tx, now))
    // Activity may have arrived after the deletion.
    for (const userId of userIds) await this.erasure.deleteActivity(userId)
  }
}
