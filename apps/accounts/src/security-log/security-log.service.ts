import { Inject, Injectable } from '@nestjs/common'
import type { SecurityEvent, SecurityEventKind } from '@trestle/contracts/security-event'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { eventRange } from '../events/event.js'
import { decodeCursor, encodeCursor, type Position } from '../paging/cursor.js'
import { type PartitionedTable, securityEventTable } from '../partitions/partition.js'
import { ENV } from '../settings.module.js'
import { requireEmail } from '../users/email.js'
import { AttemptedNameService } from './attempted-name.service.js'
import { SECURITY_ID, toSecurityEventRow } from './security-event-row.js'
import { type SecurityLogQuery, SecurityLogRepository } from './security-log.repository.js'

interface Filters {
  readonly from?: string
  readonly to?: string
  readonly user?: string
  readonly email?: string
  readonly kind?: SecurityEventKind
  readonly outcome?: SecurityEvent['outcome']
}

interface ListRequest extends Filters {
  readonly limit?: number
  readonly cursor?: string
}

interface SecurityLogPage {
  readonly events: SecurityEvent[]
  /** The end of the page and the end of its time range, if another page follows. */
  readonly next?: { readonly from: string; readonly to: string; readonly limit: number; readonly cursor: string }
}

const DEFAULT_LIMIT = 100
const LINES_PAGE = 1000
const MAX_LINES = 100_000

@Injectable()
export class SecurityLogService {
  private readonly table: PartitionedTable

  constructor(
    private readonly log: SecurityLogRepository,
    private readonly names: AttemptedNameService,
    private readonly clock: Clock,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.table = securityEventTable(env)
  }

  /** Idempotent: an event that is delivered again is stored once. */
  async record(events: readonly SecurityEvent[]): Promise<void> {
    const now = this.clock.now()
    await this.log.insert(events.map((event) => toSecurityEventRow(event, this.table, now)))
  }

  async list({ cursor, limit = DEFAULT_LIMIT, ...filters }: ListRequest): Promise<SecurityLogPage> {
    const query = this.queryOf(filters)
    const after = cursor === undefined ? undefined : decodeCursor(cursor, SECURITY_ID)
    const rows = await this.log.list({ ...query, after, limit: limit + 1 }, 'newestFirst')
    const events = rows.slice(0, limit)
    const last = events.at(-1)
    if (!last || rows.length === events.length) return { events }
    // The range is explicit, so that it does not move while the caller pages.
    const range = { from: query.from.toISOString(), to: query.to.toISOString() }
    return { events, next: { ...range, limit, cursor: encodeCursor(positionOf(last)) } }
  }

  /** Oldest first, a page of lines at a time; refuses wrong filters before the first. */
  lines(filters: Filters): AsyncIterable<string> {
    return this.linesOf(this.queryOf(filters))
  }

  private async *linesOf(query: Omit<SecurityLogQuery, 'limit'>): AsyncGenerator<string> {
    let after: Position | undefined
    for (let count = 0; count < MAX_LINES; count += LINES_PAGE) {
      const events = await this.log.list({ ...query, after, limit: LINES_PAGE }, 'oldestFirst')
      const last = events.at(-1)
      if (!last) return
      yield events.map((event) => `${JSON.stringify(event)}\n`).join('')
      if (events.length < LINES_PAGE) return
      after = positionOf(last)
    }
  }

  private queryOf({ user, email, kind, outcome, ...range }: Filters): Omit<SecurityLogQuery, 'limit'> {
    const attempted = email === undefined ? undefined : this.names.hash(requireEmail(email).canonical)
    return { ...eventRange(range, this.clock.now()), userId: user, attempted, kind, outcome }
  }
}

function positionOf({ createdAt, id }: SecurityEvent): Position {
  return { createdAt: new Date(createdAt), id }
}
