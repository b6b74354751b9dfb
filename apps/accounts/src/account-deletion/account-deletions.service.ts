import { Inject, Injectable } from '@nestjs/common'
import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { User } from '../users/user.js'
import { describeDeletion, type Inventory, newDeletion, noDeletion } from './account-deletion.js'
import { AccountDeletionsRepository } from './account-deletions.repository.js'
import { DeletionMailsService } from './deletion-mails.service.js'

/** Requests to delete accounts. */
@Injectable()
export class AccountDeletionsService {
  constructor(
    private readonly deletions: AccountDeletionsRepository,
    private readonly mails: DeletionMailsService,
    private readonly unitOfWork: UnitOfWorkService,
    @Inject(ENV) private readonly env: Pick<AccountsEnv, 'ACCOUNT_DELETION_HOURS'>,
  ) {}

  async describe(userId: string, inventory: Inventory): Promise<AccountDeletion> {
    return describeDeletion(inventory, await this.deletions.find(userId), this.env.ACCOUNT_DELETION_HOURS)
  }

  /** A second request changes nothing. */
  async request(user: User): Promise<void> {
    await this.unitOfWork.run(async (tx, now) => {
      const deletion = newDeletion(user.id, this.env.ACCOUNT_DELETION_HOURS, now)
      if (await this.deletions.insert(tx, deletion)) await this.mails.sendRequested(tx, user, deletion)
    })
  }

  async cancel(userId: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.cancelIfRequested(tx, userId))) throw noDeletion()
    })
  }

  /** Returns whether there was one. */
  cancelIfRequested(tx: AccountsTransaction, userId: string): Promise<boolean> {
    return this.deletions.cancel(tx, userId)
  }
}
