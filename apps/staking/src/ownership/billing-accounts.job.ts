import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { BillingAccountsService } from './billing-accounts.service.js'

const READ_MS = 60_000

/** Reads memberships at the start, and regularly in case an event was missed. */
@Injectable()
export class BillingAccountsJob implements OnApplicationBootstrap {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(READ_MS, 'read the memberships', () => this.accounts.read())
  }
}
