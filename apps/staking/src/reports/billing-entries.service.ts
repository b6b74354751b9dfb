import { Injectable } from '@nestjs/common'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { BillingAccountsService } from '../ownership/billing-accounts.service.js'
import { BillingNamesService } from '../ownership/billing-names.service.js'
import { billedDays, type OwnerChange } from '../ownership/ownership-history.js'
import type { DayRange } from '../rewards/day-range.js'
import { type Earned, NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { type BilledUser, type BilledValidator, type Billing, billUser } from './billing.js'
import { ReportsRepository } from './reports.repository.js'

// Validators whose days one query adds up.
const BATCH_SIZE = 2_000
// Users who are named at a time.
const PAGE_SIZE = 1_000

/** The bill of an organization. */
interface Bill {
  readonly organizationId: string
  /** Of the personal organizations that have been on it. */
  readonly accounts: ReadonlyMap<string, readonly OwnerChange[]>
  readonly billing: Billing
}

/** What an organization's validators have earned: on each day those that were its own, or on its bill. */
@Injectable()
export class BillingEntriesService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly names: BillingNamesService,
    private readonly validators: ReportsRepository,
    private readonly earnings: EarningsService,
  ) {}

  /** An entry for each user who created any of them, by user id. */
  async *list(organizationId: string, billing: Billing): AsyncGenerator<BillingEntry> {
    const bill = { organizationId, accounts: await this.accounts.listBilledWith(organizationId), billing }
    for await (const users of this.users(bill))
      for (const user of users) {
        const entry = await this.entry(user, bill)
        if (entry.validatorsPerChain.length > 0) yield entry
      }
  }

  /** Who created what may be on the bill, with the names of its last day. */
  private async *users({ organizationId, billing: { range } }: Bill): AsyncGenerator<BilledUser[]> {
    const listAfter = (after: string) => this.validators.listCreators(organizationId, { to: range.to, after, limit: PAGE_SIZE })
    for (let ids = await listAfter(''); ids.length > 0; ids = await listAfter(ids.at(-1) ?? '')) {
      const names = await this.names.list([organizationId, ...ids], range.to)
      const organizationName = names.get(organizationId)?.name ?? ''
      yield ids.map((user) => {
        const { email = '', name = '' } = names.get(user) ?? {}
        return { organization: organizationId, organizationName, user, userEmail: email, userName: name }
      })
    }
  }

  private async entry(user: BilledUser, { organizationId, accounts, billing }: Bill): Promise<BillingEntry> {
    const created = await this.validators.listCreated(organizationId, user.user, billing.range.to)
    const validators = created
      .map(({ owners, ...validator }) => ({ ...validator, days: billedDays({ owners, accounts }, organizationId, billing.range) }))
      .filter(({ days }) => days.length > 0)
    const billed: BilledValidator[] = []
    for (let from = 0; from < validators.length; from += BATCH_SIZE) {
      const batch = validators.slice(from, from + BATCH_SIZE)
      const earned = await this.earned(batch)
      billed.push(...batch.map((validator) => ({ ...validator, earned: earned.get(validator.serial) ?? NO_EARNINGS })))
    }
    return billUser(user, billed, billing)
  }

  private earned(validators: readonly { serial: number; days: readonly DayRange[] }[]): Promise<Map<number, Earned>> {
    return this.earnings.listDays(validators.flatMap(({ serial, days }) => days.map((each) => ({ serial, ...each }))))
  }
}
