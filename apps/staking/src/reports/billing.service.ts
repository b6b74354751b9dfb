import { Readable } from 'node:stream'
import { Injectable } from '@nestjs/common'
import { missingRole } from '@trestle/auth/auth-problems'
import { getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { Role } from '@trestle/contracts/accounts/organizations'
import type { ReplyOf } from '@trestle/contracts/message'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { NatsClient } from '@trestle/messaging/nats.client'
import { firstValueFrom } from 'rxjs'
import { type DayRange, dayRangeOf } from '../rewards/day-range.js'
import { addDays } from '../rewards/days.js'
import { NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { acceptedType, type ReportType } from './accepted-type.js'
import { BILLING_HEADER, type Billing, billingLines, billUser } from './billing.js'
import { BillingSettingsService } from './billing-settings.service.js'
import { ReportsRepository } from './reports.repository.js'

// Validators whose days one query adds up.
const BATCH_SIZE = 2_000

/** Who may read the report of their organization. */
export const BILLING_ROLES: readonly [Role, ...Role[]] = ['auditor', 'billing']

interface Report {
  readonly type: ReportType
  readonly stream: Readable
  /** Throws Problem `MissingRole` once the reader may not read it any more. */
  readonly recheck: () => Promise<void>
}

interface Organization {
  readonly id: string
  readonly name: string
}

type Member = ReplyOf<typeof listMembers>['members'][number]

/** Reports what an organization's validators have earned. */
@Injectable()
export class BillingService {
  constructor(
    private readonly nats: NatsClient,
    private readonly validators: ReportsRepository,
    private readonly earnings: EarningsService,
    private readonly settings: BillingSettingsService,
  ) {}

  /** The caller must have a role in the organization. Waits for the first entry, so that a failure can still set the status. */
  async open(userId: string, { fromDate, toDate }: { fromDate: string; toDate: string }, accept: string | undefined): Promise<Report> {
    const type = acceptedType(accept)
    const billing = this.settings.of(dayRangeOf({ from: fromDate, to: toDate }, toDate))
    const { organization } = await firstValueFrom(this.nats.send(getMembership, { userId }))
    const entries = organization ? this.entries(organization, billing) : noEntries()
    const chunks = type === 'text/csv' ? asCsv(entries) : asJson(entries)
    const stream = Readable.from(await untilFirstChunk(chunks), { objectMode: false })
    return { type, stream, recheck: () => this.requireRole(userId, organization?.id) }
  }

  private async requireRole(userId: string, organizationId: string | undefined): Promise<void> {
    const { organization, roles } = await firstValueFrom(this.nats.send(getMembership, { userId }))
    if (organization?.id !== organizationId || !BILLING_ROLES.some((role) => roles.includes(role))) throw missingRole(BILLING_ROLES)
  }

  private async *entries(organization: Organization, billing: Billing): AsyncGenerator<BillingEntry> {
    const before = new Date(addDays(billing.range.to, 1))
    for await (const members of this.members(organization.id)) {
      const billed = await this.validators.listUsers(
        members.map(({ userId }) => userId),
        before,
      )
      for (const member of members) if (billed.has(member.userId)) yield await this.entry(organization, member, billing)
    }
  }

  private async entry(organization: Organization, { userId, email, displayName }: Member, billing: Billing): Promise<BillingEntry> {
    const validators = await this.validators.listCreated(userId, new Date(addDays(billing.range.to, 1)))
    const earned = await this.earned(
      validators.map(({ serial }) => serial),
      billing.range,
    )
    const user = {
      organization: organization.id,
      organizationName: organization.name,
      user: userId,
      userEmail: email,
      userName: displayName,
    }
    const billed = validators.map((validator) => ({ ...validator, earned: earned.get(validator.serial) ?? NO_EARNINGS }))
    return billUser(user, billed, billing)
  }

  private async earned(serials: readonly number[], range: DayRange) {
    const all: Awaited<ReturnType<EarningsService['list']>> = new Map()
    for (let from = 0; from < serials.length; from += BATCH_SIZE)
      for (const [serial, earned] of await this.earnings.list(serials.slice(from, from + BATCH_SIZE), range)) all.set(serial, earned)
    return all
  }

  private async *members(organizationId: string): AsyncGenerator<readonly Member[]> {
    let after: string | undefined
    do {
      const page: ReplyOf<typeof listMembers> = await firstValueFrom(this.nats.send(listMembers, { organizationId, after }))
      yield page.members
      after = page.next
    } while (after !== undefined)
  }
}

async function* noEntries(): AsyncGenerator<BillingEntry> {}

async function* asJson(entries: AsyncIterable<BillingEntry>): AsyncGenerator<string> {
  let separator = '['
  for await (const entry of entries) {
    yield separator + JSON.stringify(entry)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

async function* asCsv(entries: AsyncIterable<BillingEntry>): AsyncGenerator<string> {
  let header = BILLING_HEADER
  for await (const entry of entries) {
    yield header + billingLines(entry)
    header = ''
  }
  if (header !== '') yield header
}

/** The same chunks, once the first one is there. */
async function untilFirstChunk(chunks: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await chunks.next()
  async function* all() {
    if (!first.done) yield first.value
    yield* chunks
  }
  return all()
}
