import { Readable } from 'node:stream'
import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { dayRangeOf } from '../rewards/day-range.js'
import { acceptedType, type ReportType } from './accepted-type.js'
import { BILLING_HEADER, billingLines } from './billing.js'
import { BillingEntriesService } from './billing-entries.service.js'
import { BillingReadersService } from './billing-readers.service.js'
import { BillingSettingsService } from './billing-settings.service.js'

interface Report {
  readonly type: ReportType
  readonly stream: Readable
  /** Throws Problem `MissingRole` once the reader may not read it any more. */
  readonly recheck: () => Promise<void>
}

/** Bills as JSON or CSV. */
@Injectable()
export class BillingService {
  constructor(
    private readonly readers: BillingReadersService,
    private readonly entries: BillingEntriesService,
    private readonly settings: BillingSettingsService,
  ) {}

  /** Waits for the first entry, so that a failure can still set the status. */
  async open(caller: Caller, { fromDate, toDate }: { fromDate: string; toDate: string }, accept: string | undefined): Promise<Report> {
    const organizationId = await this.readers.organizationOf(caller)
    const type = acceptedType(accept)
    const entries = this.entries.list(organizationId, this.settings.of(dayRangeOf({ from: fromDate, to: toDate }, toDate)))
    const chunks = type === 'text/csv' ? asCsv(entries) : asJson(entries)
    const stream = Readable.from(await untilFirstChunk(chunks), { objectMode: false })
    return { type, stream, recheck: async () => this.readers.require(caller, organizationId) }
  }
}

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
