import { randomUUID } from 'node:crypto'
import type { Activity } from '@trestle/contracts/activity'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { type AccountsSchema, accountsSchema } from '../../test/accounts-schema.js'
import { EVENT_TABLE } from '../partitions/partition.js'
import { PartitionsRepository } from '../partitions/partitions.repository.js'
import { PartitionsService } from '../partitions/partitions.service.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'

const DAY = 24 * 3600_000
const USER = `user-${randomUUID()}`

describe(EventsService, () => {
  let schema: AccountsSchema
  let clock: ManualClock
  let events: EventsService

  beforeEach(async () => {
    schema = await accountsSchema()
    clock = new ManualClock()
    events = new EventsService(new EventsRepository(schema.pool), clock)
  })

  afterEach(() => schema.drop())

  it('creates its partitions once, however many replicas start at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => maintainPartitions()))
    expect((await new PartitionsRepository(schema.pool).list(EVENT_TABLE)).sort()).toEqual([
      'event_2026_08',
      'event_2026_09',
      'event_2026_10',
      'event_2026_11',
      'event_2026_12',
      'event_2027_01',
    ])
  })

  it('drops a month when its last day is 90 days ago', async () => {
    await maintainPartitions()
    await events.record([activity({ createdAt: ago(80 * DAY) }), activity()])
    clock.advance(10 * DAY)
    await Promise.all([maintainPartitions(), maintainPartitions()])
    expect(await new PartitionsRepository(schema.pool).list(EVENT_TABLE)).not.toContain('event_2026_08')
    expect((await events.list(USER, { from: '2026-01-01' })).events).toHaveLength(2)
  })

  it('has a partition for every time, however wrong', async () => {
    await maintainPartitions()
    await events.record([activity({ createdAt: '1970-01-01T00:00:00.000Z' }), activity({ createdAt: '9999-12-31T23:59:59.999Z' })])
    const { events: kept } = await events.list(USER, { from: '2026-01-01', to: '2027-01-01' })
    expect(kept.map(({ createdAt }) => createdAt)).toEqual(['2026-11-21T12:05:00.000Z', '2026-08-23T12:00:00.000Z'])
  })

  it('stores an activity once, however often it is delivered, and returns it unchanged', async () => {
    await maintainPartitions()
    const told = activity({ input: { route: '/x', hostile: '\0\ud800"\\u0000', deep: { list: [1, null] } }, serviceData: { region: 'eu' } })
    await events.record([told, told, activity({ user: `user-${randomUUID()}` })])
    await events.record([told])
    const { events: listed } = await events.list(USER, {})
    expect(listed).toEqual([{ ...told, input: { ...told.input, hostile: '\ufffd\ufffd"\\u0000' } }])
  })

  it('pages through everything exactly once, also where many share a millisecond', async () => {
    await maintainPartitions()
    const all = Array.from({ length: 95 }, (_, index) => activity({ createdAt: ago(Math.floor(index / 30)) }))
    await events.record(all)
    const seen: string[] = []
    let page = await events.list(USER, { limit: 10 })
    while (page.next) {
      seen.push(...page.events.map(({ id }) => id))
      // What happens meanwhile does not shift the pages.
      await events.record([activity()])
      clock.advance(1000)
      page = await events.list(USER, page.next)
    }
    seen.push(...page.events.map(({ id }) => id))
    const wanted = all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    expect(seen.filter((id) => wanted.includes(id))).toEqual(wanted)
    expect(new Set(seen).size).toBe(seen.length)
  })

  describe('of an organization', () => {
    const organization = `org-${randomUUID()}`
    const read = { input: { method: 'GET' }, serviceData: { actor: { session: 'session-1' } } }
    const change = { input: { method: 'POST' }, serviceData: { actor: { session: 'session-1' } } }
    const calls = { input: { method: 'POST' }, serviceData: { calls: 7 } }
    const idsOf = (found: { events: Activity[] }) => found.events.map(({ id }) => id).sort()

    it('has what was done in its name by anybody, or only the changes', async () => {
      await maintainPartitions()
      const done = [read, change, calls].map((each) => activity({ ...each, organization }))
      const [, changed] = done
      await events.record([
        ...done,
        activity({ ...change, user: `user-${randomUUID()}`, organization: `org-${randomUUID()}` }),
        activity(change),
      ])
      expect(idsOf(await events.listOfOrganization(organization, { changes: false }))).toEqual(idsOf({ events: done }))
      expect(idsOf(await events.listOfOrganization(organization, { changes: true }))).toEqual([changed?.id])
    })

    it('keeps what others call from who created it, but not what that user did or calls alone', async () => {
      await maintainPartitions()
      const personal = personalOrganizationOf(USER)
      const own = [activity({ ...change, organization }), activity({ ...calls, organization: personal }), activity(calls)]
      await events.record([...own, activity({ ...calls, organization })])
      expect(idsOf(await events.list(USER, {}))).toEqual(idsOf({ events: own }))
    })

    it('is found by an index, however much else there is', async () => {
      await maintainPartitions()
      await events.record(Array.from({ length: 2000 }, () => activity({ ...read, organization })))
      const { rows } =
        await schema.pool.query(`EXPLAIN SELECT id FROM event WHERE organization_id = 'org-1' AND input ->> 'method' NOT IN ('GET', 'HEAD')
        AND service_data ? 'actor' AND created_at BETWEEN '2026-11-20' AND '2026-11-21' ORDER BY created_at DESC, id DESC LIMIT 10`)
      expect(JSON.stringify(rows)).toMatch(/Index.* Scan using event_2026_11_organization_id_created_at_id_idx1/)
    })
  })

  it('inserts thousands of activities in one statement', async () => {
    await maintainPartitions()
    await events.record(Array.from({ length: 5000 }, () => activity()))
    expect((await events.list(USER, { limit: 1000 })).events).toHaveLength(1000)
  })

  /** As any replica does. */
  function maintainPartitions(): Promise<void> {
    return new PartitionsService(new PartitionsRepository(schema.pool), clock).maintain(EVENT_TABLE)
  }

  function ago(ms: number): string {
    return new Date(clock.at.getTime() - ms).toISOString()
  }

  function activity(overrides: Partial<Activity> = {}): Activity {
    const time = clock.at.toISOString()
    const output = { startTime: time, endTime: time, httpStatusCode: 200, bytesOut: 2 }
    return { id: `event-${randomUUID()}`, user: USER, service: 'nodes', input: {}, output, serviceData: {}, createdAt: time, ...overrides }
  }
})
