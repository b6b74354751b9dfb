import { Injectable } from '@nestjs/common'
import { describeOrganizations, describeUsers } from '@trestle/contracts/accounts/messages'
import { NatsClient } from '@trestle/messaging/nats.client'
import { Clock } from '@trestle/runtime/clock'
import { firstValueFrom } from 'rxjs'
import { type Day, dayOf } from '../rewards/days.js'
import { type BillingName, BillingNamesRepository } from './billing-names.repository.js'

// What accounts describes in one reply.
const PAGE_SIZE = 1000

/** What users and organizations are called on bills: as they were on the last day of the bill, whatever has become of them since. */
@Injectable()
export class BillingNamesService {
  constructor(
    private readonly repository: BillingNamesRepository,
    private readonly nats: NatsClient,
    private readonly clock: Clock,
  ) {}

  /** Names at the end of a day. Asks accounts for those that are not known, and if the day is not over for all. Whoever was deleted before is missing. */
  async list(ids: readonly string[], day: Day): Promise<ReadonlyMap<string, BillingName>> {
    const known = await this.repository.list(ids, day)
    const unknown = day < this.today() ? ids.filter((id) => !known.has(id)) : ids
    if (unknown.length === 0) return known
    await this.readOf(unknown)
    return this.repository.list(ids, day)
  }

  /** Reads the names of all who may come to be on a bill. */
  async read(): Promise<void> {
    await this.readAll((after) => this.repository.listCreators(after, PAGE_SIZE))
    await this.readAll((after) => this.repository.listOrganizations(after, PAGE_SIZE))
  }

  private async readAll(listAfter: (id: string) => Promise<string[]>): Promise<void> {
    let page = await listAfter('')
    while (page.length > 0) {
      await this.readOf(page)
      page = await listAfter(page.at(-1) ?? '')
    }
  }

  private async readOf(ids: readonly string[]): Promise<void> {
    const organizationIds = ids.filter((id) => id.startsWith('org-'))
    const userIds = ids.filter((id) => !organizationIds.includes(id))
    await this.repository.save([...(await this.readUsers(userIds)), ...(await this.readOrganizations(organizationIds))], this.today())
  }

  private async readUsers(userIds: string[]): Promise<BillingName[]> {
    if (userIds.length === 0) return []
    const { users } = await firstValueFrom(this.nats.send(describeUsers, { userIds }))
    return users.map(({ userId, email, displayName }) => ({ id: userId, name: displayName, email }))
  }

  private async readOrganizations(organizationIds: string[]): Promise<BillingName[]> {
    if (organizationIds.length === 0) return []
    const { organizations } = await firstValueFrom(this.nats.send(describeOrganizations, { organizationIds }))
    return organizations.map(({ organizationId, name }) => ({ id: organizationId, name, email: '' }))
  }

  private today(): Day {
    return dayOf(this.clock.now())
  }
}
