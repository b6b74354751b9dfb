import { jest } from '@jest/globals'
import { ROW_LOCK } from '@trestle/database/row-lock'
import type { RunningService } from '@trestle/runtime/boot-service'
import type { JsonReply } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { waitingForLocks } from '@trestle/testing/write-race'
import type { LiveProject } from '../src/projects/live-project.js'
import { LiveProjects } from '../src/projects/live-projects.engine.js'
import { countCall } from '../src/usage/project-usage.js'
import { callManagement, type Management, startManagement } from './management.js'

let management: Management
beforeAll(async () => {
  management = await startManagement()
})
afterAll(() => management.stop())

describe('a project', () => {
  it('is created by an account or a client, with an id that is a credential', async () => {
    for (const user of [management.user(), management.client()]) {
      const { status, body } = await user('POST', '/projects', { name: ' mine ' })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'mine',
        organization: body.user.replace('user-', 'org-'),
        user: expect.stringMatching(/^user-/),
        chain: 'eth',
        allowedOrigins: [],
        allowedMethods: [],
        allowedContracts: [],
        allowedIps: [],
        requireToken: false,
        limits: { perSecond: 50_000, perDay: 1_000_000_000 },
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        url: `https://trestle.test/eth/v1/${body.id}`,
      })
      expect((await user('GET', `/projects/${body.id}`)).body).toEqual(body)
      expect((await user('GET', '/projects')).body).toEqual([body])
    }
  })

  it('is in the security log with each change of its rules or its id, also a refused one', async () => {
    const [owner, stranger] = [management.client(), management.user()]
    const id = await made(owner)
    await owner('PATCH', `/projects/${id}`, { requireToken: true })
    await stranger('PATCH', `/projects/${id}`, { requireToken: false })
    const { body } = await owner('POST', `/projects/${id}/rotations`)
    await owner('DELETE', `/projects/${body.id}`)
    const target = { projectId: `...${body.id.slice(-4)}` }
    const events = await eventually(() => {
      const all = management.accounts.securityEvents
      const removed = all.find(({ method, target: { projectId } }) => method === 'DELETE' && projectId === target.projectId)
      return removed && all.slice(-5)
    }, 'the changes are in the log')
    expect(events.map(({ kind, method, code }) => [kind, method, code])).toEqual([
      ['project-rules-changed', 'POST', undefined],
      ['project-rules-changed', 'PATCH', undefined],
      ['project-rules-changed', 'PATCH', 'UnknownProject'],
      ['credentials-rotated', 'POST', undefined],
      ['project-rules-changed', 'DELETE', undefined],
    ])
    expect(events.at(-1)).toMatchObject({ service: 'eth', clientKey: expect.stringMatching(/^client-/), target })
    expect(JSON.stringify(events)).not.toContain(body.id)
  })

  it('requires a token', async () => {
    expect(refusal(await callManagement(management.service, 'GET', '/projects'))).toEqual([401, expect.any(String)])
  })

  it('does not exist for other users', async () => {
    const [owner, stranger] = [management.user(), management.user()]
    const path = `/projects/${await made(owner)}`
    for (const [method, at, body] of [
      ['GET', path],
      ['PATCH', path, { name: 'theirs' }],
      ['POST', `${path}/rotations`],
      ['GET', `${path}/usage`],
      ['DELETE', path],
    ] as const) {
      expect(refusal(await stranger(method, at, body))).toEqual([404, 'UnknownProject'])
    }
    expect((await owner('GET', path)).status).toBe(200)
  })

  it('is changed member by member', async () => {
    const owner = management.user()
    const path = `/projects/${await made(owner, { allowedIps: ['192.0.2.1'] })}`
    const change = { allowedMethods: ['eth_*'], allowedContracts: [`0x${'aB'.repeat(20)}`], limits: { perSecond: 7 } }
    const { status, body } = await owner('PATCH', path, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'mine',
      allowedIps: ['192.0.2.1'],
      allowedMethods: ['eth_*'],
      allowedContracts: [`0x${'ab'.repeat(20)}`],
      limits: { perSecond: 7, perDay: 1_000_000_000 },
    })
    expect((await owner('GET', path)).body).toEqual(body)
  })

  it.each([
    [{ requiretoken: true }, 'body.requiretoken', 'unknown member "requiretoken"; did you mean "requireToken"?'],
    [{ limits: { perSec: 5 } }, 'body.limits.perSec', 'unknown member "perSec"; did you mean "perSecond"?'],
    [{ allowedIps: ['::1', 'x'] }, 'body.allowedIps[1]', 'must be an IP address, or a range such as 192.0.2.0/24; got the string "x"'],
  ])('says what is wrong with %j, of a new project and of a change', async (wrong, path, message) => {
    const owner = management.user()
    const refused = { status: 400, body: { code: 'InvalidInput', errors: [{ path, message }] } }
    expect(await owner('POST', '/projects', { name: 'mine', ...wrong })).toMatchObject(refused)
    expect(await owner('PATCH', `/projects/${await made(owner)}`, wrong)).toMatchObject(refused)
    expect((await owner('GET', '/projects')).body).toHaveLength(1)
  })

  it.each([
    ['InvalidInput', { name: '' }],
    ['InvalidInput', { allowedOrigins: ['https://app.example/'] }],
    ['InvalidInput', { allowedIps: Array.from({ length: 31 }, () => '::1') }],
    ['InvalidInput', { limits: { perSecond: 0 } }],
    ['UnknownMethod', { allowedMethods: ['eth_sign'] }],
    ['LimitTooHigh', { limits: { perDay: 100_000_000_001 } }],
  ])('refuses with %s the change %j', async (code, change) => {
    const owner = management.user()
    expect(refusal(await owner('PATCH', `/projects/${await made(owner)}`, change))).toEqual([400, code])
  })

  it('is limited to twenty a user, also under concurrent requests', async () => {
    const owner = management.user()
    // They wait for each other; on a busy machine some do so for too long, and get 503.
    const create = () => retryWhileBusy(() => owner('POST', '/projects', { name: 'one of many' }))
    const answers = await Promise.all(Array.from({ length: 100 }, create))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(80).fill(409)])
    expect(answers.filter(({ status }) => status === 409).map(refusal)).toEqual(Array(80).fill([409, 'LimitExceeded']))
  })
})

describe('whoever waits for a lock in Postgres', () => {
  it('keeps no connections from others, whatever they change', async () => {
    const [busy, other] = [management.user(), management.user()]
    const { id, user } = (await busy('POST', '/projects', { name: 'first' })).body
    const holder = await management.sql.connect()
    await holder.query('BEGIN')
    await holder.query(ROW_LOCK, [`user ${user}`])
    const create = () => retryWhileBusy(() => busy('POST', '/projects', { name: 'one of many' }))
    const change = () => retryWhileBusy(() => busy('PATCH', `/projects/${id}`, { name: 'changed' }))
    const waiting = Array.from({ length: 15 }, () => [create(), change()]).flat()
    await eventually(async () => (await waitingForLocks(management.sql)) > 0 || undefined, 'one waits')
    const { status, body } = await other('POST', '/projects', { name: 'another' })
    expect(status).toBe(201)
    expect((await other('PATCH', `/projects/${body.id}`, { name: 'changed' })).status).toBe(200)
    expect(await waitingForLocks(management.sql)).toBe(1)
    await holder.query('ROLLBACK')
    holder.release()
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(15).fill(200), ...Array(15).fill(201)])
  })
})

describe('a change', () => {
  let replica: RunningService
  beforeAll(async () => {
    replica = await management.replica()
  })
  afterAll(() => replica.stop())

  it('needs one connection: more at once than there are connections are all carried out', async () => {
    const users = Array.from({ length: 30 }, () => management.user())
    const ids = await Promise.all(users.map((user) => made(user)))
    const answers = await Promise.all(users.map((user, at) => user('PATCH', `/projects/${ids[at]}`, { name: 'changed' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('reaches every process as soon as it is announced', async () => {
    const readAgain = jest.spyOn(LiveProjects.prototype, 'readAgain').mockResolvedValue()
    const owner = management.user()
    const id = await made(owner)
    const path = `/projects/${id}`
    for (const service of [management.service, replica])
      expect(await live(service, id)).toMatchObject({ access: { credentials: { type: 'none' } } })

    await owner('PATCH', path, { requireToken: true })
    for (const service of [management.service, replica]) {
      await eventually(async () => (await live(service, id))?.access.credentials.type === 'token' || undefined, 'the change is known')
    }
    const rotated = (await owner('POST', `${path}/rotations`)).body.id
    expect(rotated).not.toBe(id)
    for (const service of [management.service, replica]) {
      await eventually(async () => (await live(service, id)) === undefined || undefined, 'the old id has ended')
      expect(await live(service, rotated)).toMatchObject({ id: rotated, access: { credentials: { type: 'token' } } })
    }
    expect((await owner('DELETE', `/projects/${rotated}`)).status).toBe(204)
    for (const service of [management.service, replica]) {
      await eventually(async () => (await live(service, rotated)) === undefined || undefined, 'the project is gone')
    }
    expect(refusal(await owner('GET', `/projects/${rotated}`))).toEqual([404, 'UnknownProject'])
    readAgain.mockRestore()
  })

  it('keeps the old id during its grace period, and counts calls under both', async () => {
    const owner = management.user()
    const id = await made(owner)
    const { body } = await owner('POST', `/projects/${id}/rotations`, { graceSeconds: 3600 })
    expect(Date.parse(body.formerIdUntil) - Date.now()).toBeGreaterThan(3_500_000)
    const [former, current] = [await live(replica, id), await live(replica, body.id)]
    expect(former?.serial).toBe(current?.serial)
    expect(refusal(await owner('GET', `/projects/${id}`))).toEqual([404, 'UnknownProject'])
    expect(refusal(await owner('POST', `/projects/${body.id}/rotations`, { graceSeconds: 86_401 }))).toEqual([400, 'InvalidInput'])
  })
})

describe('usage', () => {
  it('is reported by method and hour about a second later, and leaves an activity record', async () => {
    const owner = management.user()
    const id = await made(owner)
    const project = await live(management.service, id)
    for (let i = 0; i < 3; i++)
      countCall(project!.meter, 'eth_call', { computeUnits: 26, bytesOut: 100, failed: i === 0, cached: i === 1, ms: 1 + i / 10 })

    const reported = await eventually(async () => {
      const { body } = await owner('GET', `/projects/${id}/usage`)
      return body.usage.length > 0 ? body : undefined
    }, 'the usage is reported')
    const sums = { calls: 3, errors: 1, computeUnits: 78, bytesOut: 300, cacheHits: 1 }
    expect(reported).toMatchObject({ granularity: 'hour', usage: [{ method: 'eth_call', ...sums, latency: { p50: 1.5 } }] })

    const record = await eventually(
      () => management.accounts.activities.find(({ input }) => input.route === '/v1/{projectId}'),
      'the calls are recorded',
    )
    expect(record).toMatchObject({
      service: 'eth',
      input: { method: 'POST', params: { projectId: `...${id.slice(-4)}` } },
      output: { httpStatusCode: 200, bytesOut: 300 },
      serviceData: { calls: 3, errors: 1, computeUnits: 78, cacheHits: 1, methods: { eth_call: 3 } },
    })
  })

  it.each([
    'from=2026-01-01T00:00:00.000Z&to=2026-01-08T00:00:00.001Z',
    'from=2026-01-01T00:00:00.000Z&to=2026-04-11T00:00:00.001Z&granularity=day',
    'from=2026-02-01T00:00:00.000Z&to=2026-01-01T00:00:00.000Z',
  ])('is refused for a range that is too long or invalid: %s', async (query) => {
    const owner = management.user()
    expect(refusal(await owner('GET', `/projects/${await made(owner)}/usage?${query}`))).toEqual([400, 'InvalidRange'])
  })

  it.each([
    'from=2026-01-01T00:00:00.000Z&to=2026-01-08T00:00:00.000Z',
    'from=2026-01-01T00:00:00.000Z&to=2026-04-11T00:00:00.000Z&granularity=day',
  ])('is reported for the longest range: %s', async (query) => {
    const owner = management.user()
    expect((await owner('GET', `/projects/${await made(owner)}/usage?${query}`)).status).toBe(200)
  })
})

describe('the credential', () => {
  it('appears in no activity record', async () => {
    const owner = management.user()
    const id = await made(owner)
    await owner('GET', `/projects/${id}`)
    await owner('PATCH', `/projects/${id}`, { name: 'new' })
    const { body } = await owner('POST', `/projects/${id}/rotations`)
    await owner('DELETE', `/projects/${body.id}`)
    const route = '/projects/{projectId}'
    const records = await eventually(() => {
      const found = management.accounts.activities.filter(({ input }) => JSON.stringify(input.params).includes(id.slice(-4)))
      return found.length >= 3 ? found : undefined
    }, 'the calls are recorded')
    expect(records).toContainEqual(
      expect.objectContaining({ input: expect.objectContaining({ route, params: { projectId: `...${id.slice(-4)}` } }) }),
    )
    for (const secret of [id, body.id]) expect(JSON.stringify(management.accounts.activities)).not.toContain(secret)
  })
})

async function made(owner: (method: string, path: string, body?: unknown) => Promise<JsonReply>, more: object = {}): Promise<string> {
  return (await owner('POST', '/projects', { name: 'mine', ...more })).body.id
}

async function live({ app }: RunningService, id: string): Promise<LiveProject | undefined> {
  return app.get(LiveProjects, { strict: false }).get(id)
}

function refusal({ status, body }: JsonReply): [number, string] {
  return [status, body.code]
}
