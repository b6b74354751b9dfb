import { Injectable } from '@nestjs/common'
import { userDeleted } from '@trestle/contracts/accounts/messages'
import { Outbox } from '@trestle/messaging/outbox'
import type { AccountsTransaction } from '../database.module.js'
import { UserClosingService } from '../users/user-closing.service.js'
import { ANNOUNCED_EVERY_MS, ANNOUNCED_FOR_MS } from './account-deletion.js'
import { AccountDeletionsRepository } from './account-deletions.repository.js'
import { PersonalDataRepository } from './personal-data.repository.js'

/** Erases users whose accounts are closed, and tells the other services. Whatever interrupts it, it is done again from the start. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly data: PersonalDataRepository,
    private readonly users: UserClosingService,
    private readonly outbox: Outbox,
  ) {}

  deleteActivity(userId: string): Promise<void> {
    return this.data.deleteActivity(userId)
  }

  mayBeUndone(tx: AccountsTransaction, userId: string, now: Date): Promise<boolean> {
    return this.data.hasUndoableEmailChange(tx, userId, now)
  }

  async erase(tx: AccountsTransaction, userId: string, now: Date): Promise<void> {
    const user = await this.users.lock(tx, userId)
    if (!(await this.deletions.complete(tx, userId, now))) return
    if (user) {
      await this.data.deleteMailsAndInvitations(tx, user)
      await this.users.delete(tx, user)
    }
    await this.announce(tx, { userId, deletedAt: now })
  }

  /** Again, to services that may have missed it; returns whose deletion it was. */
  async announceAgain(tx: AccountsTransaction, now: Date): Promise<string[]> {
    const deletedAfter = new Date(now.getTime() - ANNOUNCED_FOR_MS)
    const announcedBefore = new Date(now.getTime() - ANNOUNCED_EVERY_MS)
    const deleted = await this.deletions.takeUnannounced(tx, { deletedAfter, announcedBefore, now })
    for (const each of deleted) await this.announce(tx, each)
    return deleted.map(({ userId }) => userId)
  }

  private announce(tx: AccountsTransaction, { userId, deletedAt }: { userId: string; deletedAt: Date }): Promise<void> {
    return this.outbox.add(tx, userDeleted, { userId, deletedAt: deletedAt.toISOString() })
  }
}
