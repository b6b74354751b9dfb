import { accounts } from '@trestle/contracts/accounts/api'
import type { OrganizationEvent } from '@trestle/contracts/accounts/events'
import type { Activity } from '@trestle/contracts/activity'
import type { Trestle } from '@trestle/sdk/trestle'
import { type CommandRun, command, flag, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { bytesText } from '../output/amount.js'
import { clock, millisOf } from '../output/duration.js'
import { authorOf, newActivities, rowOf } from './activity-row.js'

const POLL_INTERVAL_MS = 2000
const PAGE = 1000

const OPTIONS = {
  since: text('time', 'how far back, such as 1h or 7d', { default: '24h' }),
  limit: text('count', 'the maximum number', { default: '50' }),
  follow: flag('print new events until Ctrl-C', 'f'),
} as const

interface Query {
  readonly from: string
  readonly limit: string
}

/** What lists events. */
interface EventList<E> {
  (given: { query: Query }): Promise<E[]>
  pages(given: { query: Query }): AsyncIterable<E[]>
}

type EventsRun = CommandRun<unknown, typeof OPTIONS>

const events = command({
  name: 'events',
  about: 'Requests made with your tokens, in every area, newest first.',
  details: ['With --follow, events are printed as they happen, oldest first, without those of the polling itself.'],
  options: OPTIONS,
  calls: { base: '/accounts', endpoints: [accounts.events.list] },
  examples: [
    ['trestle events --since 1h', 'the last hour'],
    ['trestle events --follow -o json', 'a line of JSON for each, for programs'],
  ],
  run: async (run) => (run.options.follow ? follow(run, run.api.accounts.events.list) : list(run, run.api.accounts.events.list)),
  view: (activities) => ({
    head: ['TIME (UTC)', 'SERVICE', 'REQUEST', 'STATUS', 'SIZE'],
    rows: activities.map((activity) => {
      const { time, service, request, status, bytesOut } = rowOf(activity)
      return [clock(time), service, request, statusCell(status), bytesText(bytesOut)]
    }),
    none: 'No events in that time.',
  }),
  line: (activity: Activity) => {
    const { time, service, request, status } = rowOf(activity)
    return `${clock(time)}  ${service.padEnd(11)}  ${status}  ${request}`
  },
})

const organizationEvents = command({
  name: 'orgs events',
  about: "What members and keys did in an organization's name, newest first.",
  details: ['Who has left is still named. Sessions and the addresses of people are not shown.'],
  args: { id: { about: 'the organization' } },
  options: { ...OPTIONS, changes: flag('only what may have changed something') },
  calls: { base: '/accounts', endpoints: [accounts.events.ofOrganization] },
  examples: [
    ['trestle orgs events org-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11 --changes --since 7d', 'who changed what in the last week'],
    ['trestle orgs events org-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11 --follow', 'as it happens'],
  ],
  run: async (run) => {
    const source = listOf(run.api, run.args.id, run.options.changes)
    return run.options.follow ? follow(run, source) : list(run, source)
  },
  view: (found) => ({
    head: ['TIME (UTC)', 'WHO', 'SERVICE', 'REQUEST', 'STATUS'],
    rows: found.map((event) => {
      const { time, service, request, status } = rowOf(event)
      return [clock(time), authorOf(event), service, request, statusCell(status)]
    }),
    none: 'No events in that time.',
  }),
  line: (event: OrganizationEvent) => {
    const { time, service, request, status } = rowOf(event)
    return `${clock(time)}  ${authorOf(event)}  ${service}  ${status}  ${request}`
  },
})

function listOf(api: Trestle, id: string, changes: boolean): EventList<OrganizationEvent> {
  const { ofOrganization } = api.accounts.events
  const given = (query: Query) => ({ params: { id }, query: { ...query, changes: String(changes) } })
  return Object.assign(({ query }: { query: Query }) => ofOrganization(given(query)), {
    pages: ({ query }: { query: Query }) => ofOrganization.pages(given(query)),
  })
}

async function list<E>({ options, now }: EventsRun, source: EventList<E>): Promise<E[]> {
  const limit = integerOf(options.limit, '--limit', 1)
  const from = new Date(now().getTime() - millisOf(options.since, '--since')).toISOString()
  const found: E[] = []
  for await (const page of source.pages({ query: { from, limit: String(Math.min(PAGE, limit)) } })) {
    found.push(...page)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

async function* follow<E extends Activity>({ now, pause }: EventsRun, source: EventList<E>): AsyncGenerator<E> {
  const begin = now().getTime()
  const seen = new Set<string>()
  for (;;) {
    // A record may arrive some time after its request; those already printed are filtered out.
    const from = new Date(Math.max(begin, now().getTime() - 60_000)).toISOString()
    yield* newActivities(await source({ query: { from, limit: String(PAGE) } }), seen)
    await pause(POLL_INTERVAL_MS)
  }
}

function statusCell(status: number) {
  return { text: String(status), tone: status < 400 ? ('good' as const) : ('bad' as const) }
}

export const eventsCommands = [events, organizationEvents]
