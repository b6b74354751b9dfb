import { Injectable } from '@nestjs/common'
import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import type { Caller } from '@trestle/contracts/caller'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import { AccountDeletionsService } from './account-deletions.service.js'
import { InventoryService } from './inventory.service.js'

@Injectable()
export class DeletionRequestService {
  constructor(
    private readonly confirmation: PasswordConfirmationService,
    private readonly throttling: ThrottlingService,
    private readonly inventory: InventoryService,
    private readonly deletions: AccountDeletionsService,
  ) {}

  async preview(userId: string): Promise<AccountDeletion> {
    return this.deletions.describe(userId, await this.inventory.of(userId))
  }

  async request(caller: Caller, password: string | undefined, origin: RequestOrigin): Promise<AccountDeletion> {
    const user = await this.confirmation.requireOwner(caller, password, origin)
    const inventory = await this.inventory.requireDeletable(user.id)
    await this.throttling.spend({ deletionRequestsByUser: user.id })
    await this.deletions.request(user)
    return this.deletions.describe(user.id, inventory)
  }
}
