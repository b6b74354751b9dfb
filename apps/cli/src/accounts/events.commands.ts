import { accounts } from '@trestle/contracts/accounts/api'
import type { Activity } from '@trestle/contracts/activity'
import { type CommandRun, command, flag, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { bytesText } from '../output/amount.js'
import { clock, millisOf } from '../output/duration.js'
import { newActivities, rowOf } from './activity-row.js'

const POLL_INTERVAL_MS = 2000
const PAGE = 1000

const OPTIONS = {
  since: text('time', 'how far back, such as 1h or 7d', { default: '24h' }),
  limit: text('count', 'the maximum number', { default: '50' }),
  follow: flag('print new events until Ctrl-C', 'f'),
} as const

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
  run: async (run) => (run.options.follow ? follow(run) : list(run)),
  view: (activities) => ({
    head: ['TIME (UTC)', 'SERVICE', 'REQUEST', 'STATUS', 'SIZE'],
    rows: activities.map((activity) => {
      const { time, service, request, status, bytesOut } = rowOf(activity)
      return [clock(time), service, request, { text: String(status), tone: status < 400 ? 'good' : 'bad' }, bytesText(bytesOut)]
    }),
    none: 'No events in that time.',
  }),
  line: (activity: Activity) => {
    const { time, service, request, status } = rowOf(activity)
    return `${clock(time)}  ${service.padEnd(11)}  ${status}  ${request}`
  },
})

async function list({ api, options, now }: EventsRun): Promise<Activity[]> {
  const limit = integerOf(options.limit, '--limit', 1)
  const from = new Date(now().getTime() - millisOf(options.since, '--since')).toISOString()
  const found: Activity[] = []
  for await (const page of api.accounts.events.list.pages({ query: { from, limit: String(Math.min(PAGE, limit)) } })) {
    found.push(...page)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

async function* follow({ api, now, pause }: EventsRun): AsyncGenerator<Activity> {
  const begin = now().getTime()
  const seen = new Set<string>()
  for (;;) {
    // A record may arrive some time after its request; those already printed are filtered out.
    const from = new Date(Math.max(begin, now().getTime() - 60_000)).toISOString()
    const found = await api.accounts.events.list({ query: { from, limit: String(PAGE) } })
    yield* newActivities(found, seen)
    await pause(POLL_INTERVAL_MS)
  }
}

export const eventsCommands = [events]
