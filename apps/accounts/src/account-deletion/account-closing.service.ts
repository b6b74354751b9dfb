import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { DeparturesService } from '../organizations/departures.service.js'
import { UserClosingService } from '../users/user-closing.service.js'
import type { Inventory } from './account-deletion.js'
import { AccountDeletionsRepository } from './account-deletions.repository.js'
import { DeletionMailsService } from './deletion-mails.service.js'

/** Ends what a user can do whose account is due to be deleted. */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly users: UserClosingService,
    private readonly departures: DeparturesService,
    private readonly mails: DeletionMailsService,
  ) {}

  /** Nothing where the user has cancelled it at the last moment, or an administrator has disabled the user: that is theirs to decide. */
  async close(tx: AccountsTransaction, userId: string, { organizations }: Inventory, now: Date): Promise<void> {
    await this.departures.lock(tx, organizations)
    const user = await this.users.lock(tx, userId)
    if (user?.disabledAt || !(await this.deletions.close(tx, userId, now)) || !user) return
    await this.departures.leaveAll(tx, userId, organizations, now)
    await this.users.close(tx, user, now)
    await this.mails.sendClosed(tx, user)
  }
}
