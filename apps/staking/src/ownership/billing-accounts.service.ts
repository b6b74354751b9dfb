import { Injectable } from '@nestjs/common'
import { membershipsUnknown } from '@trestle/auth/auth-problems'
import { listMemberships, type Membership } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { NatsClient } from '@trestle/messaging/nats.client'
import { Clock } from '@trestle/runtime/clock'
import { firstValueFrom } from 'rxjs'
import { dayOf } from '../rewards/days.js'
import { BillingAccountsRepository } from './billing-accounts.repository.js'
import type { OwnerChange } from './ownership-history.js'

// Commits at accounts are not in the order of their timestamps.
const OVERLAP_MS = 60_000

/** Keeps from which day the personal organization of a member is on the bill of the organization that they joined first. */
@Injectable()
export class BillingAccountsService {
  constructor(
    private readonly repository: BillingAccountsRepository,
    private readonly nats: NatsClient,
    private readonly clock: Clock,
  ) {}

  /** Reads the memberships that have changed since the last reading; a restored backup catches up by it. */
  async read(): Promise<void> {
    const last = await this.repository.readUpTo()
    const since = last && new Date(last.getTime() - OVERLAP_MS).toISOString()
    let first: ReplyOf<typeof listMemberships> | undefined
    for (let after: string | undefined; !first || after !== undefined; ) {
      const page = await firstValueFrom(this.nats.send(listMemberships, { since, after }))
      await this.repository.save(page.memberships, { today: dayOf(this.clock.now()), isFirstReading: !last })
      first ??= page
      after = page.next
    }
    await this.repository.saveReadUpTo(new Date(first.asOf))
  }

  /** Before the first reading nothing is learned from changes: it counts members from the beginning, and reads these too. */
  async record(memberships: readonly Membership[]): Promise<void> {
    if (await this.repository.readUpTo()) await this.repository.save(memberships, { today: dayOf(this.clock.now()), isFirstReading: false })
  }

  /** The organization whose bill a personal one is on now. */
  findBilled(personalId: string): Promise<string | undefined> {
    return this.repository.findBilled(personalId)
  }

  /** The histories of all personal organizations that have ever been on this bill. Throws Problem `MembershipsUnknown` before the first reading. */
  async listBilledWith(organizationId: string): Promise<ReadonlyMap<string, readonly OwnerChange[]>> {
    if (!(await this.repository.readUpTo())) throw membershipsUnknown()
    return this.repository.listBilledWith(organizationId)
  }
}
