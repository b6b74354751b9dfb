import { text } from 'node:stream/consumers'
import { Authorization } from '@trestle/auth/authorization'
import type { Memberships } from '@trestle/auth/memberships'
import { NO_POLICY } from '@trestle/auth/policy'
import { describeOrganizations, describeUsers, listMemberships, type Membership } from '@trestle/contracts/accounts/messages'
import type { Caller } from '@trestle/contracts/caller'
import { type Permission, personalOrganizationOf } from '@trestle/contracts/permissions'
import type { NatsClient } from '@trestle/messaging/nats.client'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { from } from 'rxjs'
import { BillingAccountsRepository } from '../src/ownership/billing-accounts.repository.js'
import { BillingAccountsService } from '../src/ownership/billing-accounts.service.js'
import { BillingNamesRepository } from '../src/ownership/billing-names.repository.js'
import { BillingNamesService } from '../src/ownership/billing-names.service.js'
import { BillingService } from '../src/reports/billing.service.js'
import { BillingEntriesService } from '../src/reports/billing-entries.service.js'
import { BillingReadersService } from '../src/reports/billing-readers.service.js'
import { BillingSettingsService } from '../src/reports/billing-settings.service.js'
import { ReportsRepository } from '../src/reports/reports.repository.js'
import { EarningsRepository } from '../src/rewards/earnings.repository.js'
import { EarningsService } from '../src/rewards/earnings.service.js'
import { ValidatorDaysRepository } from '../src/rewards/validator-days.repository.js'
import type { rewardsSchema } from './rewards-schema.js'
import { stub } from './stub.js'

export const FEE_BASIS_POINTS = 333

/** Bills without an app: everybody may read every one, and accounts is in memory. */
export class BillingUnderTest {
  readonly clock = new ManualClock()
  readonly accounts = new AccountsInMemory(this.clock)
  readonly billed: BillingAccountsService
  readonly names: BillingNamesService
  readonly service: BillingService

  constructor({ pool, prisma }: Awaited<ReturnType<typeof rewardsSchema>>) {
    const nats = this.accounts.client()
    this.billed = new BillingAccountsService(new BillingAccountsRepository(pool), nats, this.clock)
    this.names = new BillingNamesService(new BillingNamesRepository(pool), nats, this.clock)
    const earnings = new EarningsService(new EarningsRepository(pool, prisma), new ValidatorDaysRepository(pool))
    const memberships = stub<Memberships>({ permissionsOf: () => new Set<Permission>(['billing:read']), policyOf: () => NO_POLICY })
    this.service = new BillingService(
      new BillingReadersService(this.billed, memberships, new Authorization(memberships)),
      new BillingEntriesService(this.billed, this.names, new ReportsRepository(pool), earnings),
      new BillingSettingsService({ FEE_BASIS_POINTS }, this.clock),
    )
  }

  /** What the jobs do. */
  async read(): Promise<void> {
    await this.billed.read()
    await this.names.read()
  }

  /** The bill of a user's first organization, or of one that is chosen. */
  async report(userId: string, range: { fromDate: string; toDate: string }, accept?: string, organizationId?: string): Promise<string> {
    return text((await this.service.open(readerOf(userId, organizationId), range, accept)).stream)
  }
}

export function readerOf(userId: string, organizationId = personalOrganizationOf(userId)): Caller {
  return { kind: 'account', userId, organizationId, permissions: new Set(), areas: [], expiresAt: 0 }
}

/** The memberships and names of accounts. */
class AccountsInMemory {
  readonly #memberships = new Map<string, Membership>()
  readonly names = new Map<string, string>()
  #version = 0

  constructor(private readonly clock: ManualClock) {}

  join(userId: string, organizationId: string): Membership {
    return this.change(userId, organizationId, ['organization:read'])
  }

  leave(userId: string, organizationId: string): Membership {
    return this.change(userId, organizationId, [])
  }

  client(): NatsClient {
    const nameOf = (id: string) => this.names.get(id) ?? id
    const reply = async (request: unknown, { userIds = [], organizationIds = [] }: { userIds?: string[]; organizationIds?: string[] }) => {
      const existing = (ids: string[]) => ids.filter((id) => this.names.get(id) !== '')
      if (request === listMemberships) return { asOf: this.clock.now().toISOString(), memberships: [...this.#memberships.values()] }
      if (request === describeOrganizations)
        return { organizations: existing(organizationIds).map((id) => ({ organizationId: id, name: nameOf(id) })) }
      if (request !== describeUsers) throw new Error('an unexpected request')
      return {
        users: existing(userIds).map((id) => ({ userId: id, email: `${nameOf(id)}@example.org`, displayName: nameOf(id) })),
      }
    }
    return { send: (...args: Parameters<typeof reply>) => from(reply(...args)) } as unknown as NatsClient
  }

  private change(userId: string, organizationId: string, permissions: Permission[]): Membership {
    const membership = { userId, organizationId, permissions, version: ++this.#version, changedAt: this.clock.now().toISOString() }
    this.#memberships.set(`${userId} ${organizationId}`, membership)
    return membership
  }
}
