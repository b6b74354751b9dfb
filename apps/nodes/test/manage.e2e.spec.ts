import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { eventually } from '@trestle/testing/eventually'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { type NodesUnderTest, type NodesUser, PATIENCE_MS, startNodesUnderTest } from './nodes-under-test.js'

const NODES = '/users/me/nodes'
const CLUSTERS = '/users/me/clusters'

let nodes: NodesUnderTest
let owner: NodesUser
beforeAll(async () => {
  nodes = await startNodesUnderTest()
})
afterAll(() => nodes.stop())
beforeEach(() => {
  owner = nodes.user()
})

describe('access', () => {
  it.each([
    ['GET', NODES],
    ['POST', NODES],
    ['GET', `${NODES}/statuses`],
    ['GET', CLUSTERS],
    ['GET', '/services/nodes'],
    ['GET', '/users/me/plan'],
  ])('%s %s is refused without a token', async (method, path) => {
    expect(await owner(method, path, undefined, { authorization: '' })).toMatchObject({ status: 401 })
  })

  it.each(['/chains', '/chains/nodes', '/chains/clusters', '/chains/cluster'])('%s needs no token', async (path) => {
    const { status, body } = await owner('GET', path, undefined, { authorization: '' })
    expect(status).toBe(200)
    expect(body).toContainEqual({ chain: 'ltc', network: 'regtest', software: 'litecoin-0.21' })
  })

  it('lists only what can be started here', async () => {
    const chains = (await owner('GET', '/chains')).body.map(({ chain }: { chain: string }) => chain)
    expect(chains.sort()).toEqual(['btc', 'btctestnet', 'etc', 'eth', 'ltc', 'ltctestnet'])
    const clusters = (await owner('GET', '/chains/clusters')).body.map(({ chain }: { chain: string }) => chain)
    expect(clusters.sort()).toEqual(['btc', 'btctestnet', 'ltc', 'ltctestnet'])
  })

  it.each([
    ['GET', '/nodes'],
    ['GET', '/clusters'],
    ['DELETE', `/clusters/cluster-${randomUUID()}`],
    ['GET', `/users/user-${randomUUID()}/plan`],
    ['PUT', `/users/user-${randomUUID()}/plan`],
  ])('%s %s is for administrators', async (method, path) => {
    expect(await owner(method, path, method === 'PUT' ? {} : undefined)).toMatchObject({ status: 403 })
  })
})

describe('creating', () => {
  it.each([
    ['no image', {}],
    ['upper case', { image: 'BTC' }],
    ['another coin', { image: 'doge' }],
    ['a space after it', { image: 'btc ' }],
    ['a number', { image: 1 }],
    ['an array', { image: ['btc'] }],
    ['null', { image: null }],
    ['the name of a prototype', { image: '__proto__' }],
    ['a megabyte', { image: 'x'.repeat(100_000) }],
    ['large as text', { image: 'btc', large: 'true' }],
    ['large as a number', { image: 'btc', large: 1 }],
    ['large as null', { image: 'btc', large: null }],
    ['jwt as text', { image: 'btc', jwt: 'false' }],
    ['a time of a second', { image: 'btc', ttl: 1 }],
    ['a name for an address', { image: 'btc', allowedIps: ['example.org'] }],
    ['a service that is none', { serviceId: 'btc' }],
  ])('is refused: %s', async (_, body) => {
    expect(await owner('POST', NODES, body)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
  })

  it.each([0, 1, 11, -1, 2.5, '3'])('refuses a cluster of %s', async (capacity) => {
    expect(await owner('POST', CLUSTERS, { image: 'ltc', capacity })).toMatchObject({ status: 400 })
  })

  it('says what is missing for an image that cannot be started here', async () => {
    const { status, body } = await owner('POST', NODES, { image: 'bch' })
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'ImageUnavailable', detail: expect.stringContaining('bitcoin-cash-node') },
    })
    expect(await owner('POST', CLUSTERS, { image: 'eth' })).toMatchObject({ status: 409, body: { code: 'ImageUnavailable' } })
  })

  it.each(['ip', 'user', 'state', 'auth', 'vendor', 'id', 'serviceId', 'authType'])('refuses %s beside an image', async (name) => {
    expect(await owner('POST', NODES, { image: 'ltc', [name]: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput', errors: [{ path: `body.${name}`, message: expect.stringContaining(`unknown member "${name}"; `) }] },
    })
    expect((await owner('GET', NODES)).body).toEqual([])
  })

  it.each([
    [{}, 'body: needs one of "image" and "serviceId": "image" must be one of "btc", '],
    [{ imge: 'ltc' }, 'body.imge: unknown member "imge"; did you mean "image"?'],
    [{ image: 'ltc', allowedIpsx: [] }, 'body.allowedIpsx: unknown member "allowedIpsx"; did you mean "allowedIps"?'],
    [{ image: 'doge' }, 'body.image: must be one of "btc", '],
    [{ image: 'ltc', ttl: 'x' }, 'body.ttl: must be a whole number from 60 to '],
    [{ serviceId: 'ltc' }, 'body.serviceId: must look like service-<uuid>; got the string "ltc"'],
    [{ image: 'ltc', large: 1 }, 'body.large: must be true or false; got the number 1'],
  ])('says what is wrong with %j, of a node and a cluster', async (body, detail) => {
    for (const path of [NODES, CLUSTERS]) {
      expect(await owner('POST', path, body)).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
    }
  })

  it('creates exactly five of fifty requested at once', async () => {
    const owner = nodes.user()
    const keys = Array.from({ length: 50 }, () => ({ 'idempotency-key': randomUUID() }))
    // They wait for each other; on a busy machine some do so for too long, and get 503.
    const answers = await Promise.all(keys.map((key) => retryWhileBusy(() => owner('POST', NODES, { image: 'ltc' }, key))))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(5)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['403 LimitExceeded']),
    )
    const { body: listed } = await owner('GET', NODES)
    expect(new Set(listed.map(({ id }: { id: string }) => id)).size).toBe(5)
    expect(new Set(listed.map(({ serviceData }: { serviceData: { ports: number[] } }) => serviceData.ports[0])).size).toBe(5)
    await Promise.all(made.map(({ body }) => owner('DELETE', `${NODES}/${body.id}`)))
  })

  it('creates one workload for one Idempotency-Key, however often it is sent', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner('POST', NODES, { image: 'ltc' }, key)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.nodePass}`)).size).toBe(1)
    expect(await owner('POST', NODES, { image: 'btc' }, key)).toMatchObject({ status: 409, body: { code: 'IdempotencyKeyReused' } })
    expect((await owner('GET', NODES)).body).toHaveLength(1)
    await owner('DELETE', `${NODES}/${answers[0]?.body.id}`)
  })

  it('accepts a service of the catalogue as well as an image', async () => {
    const { body: services } = await owner('GET', '/services/nodes')
    const large = services.find(
      (each: { chain: string; metadata: { performance: string } }) => each.chain === 'ltc' && each.metadata.performance === 'large',
    )
    const { status, body } = await owner('POST', NODES, { serviceId: large.id, authType: 'jwt' })
    expect({ status, body }).toMatchObject({ status: 200, body: { service: large.id, auth: { type: 'jwt' }, nodeUser: '', nodePass: '' } })
    expect(await owner('POST', NODES, { serviceId: `service-${randomUUID()}` })).toMatchObject({
      status: 404,
      body: { code: 'UnknownService' },
    })
    await owner('DELETE', `${NODES}/${body.id}`)
  })
})

describe('the statuses of a list', () => {
  it('equal those of each node, in the same order as the list', async () => {
    const made = [(await owner('POST', NODES, { image: 'ltc' })).body.id, (await owner('POST', NODES, { image: 'btc' })).body.id]
    await nodes.user()('POST', NODES, { image: 'ltc' })
    const statuses = (query = '') => owner('GET', `${NODES}/statuses${query}`)
    // Between two questions either may be looked at once more.
    const listed = await eventually(
      async () => {
        const { body } = await statuses()
        const each = await Promise.all(made.map(async (id) => ({ id, ...(await owner('GET', `${NODES}/${id}/status`)).body })))
        return each.every(({ phase }) => phase === 'ready') && isDeepStrictEqual(body, each) ? each : undefined
      },
      'both are ready, and said to be',
      PATIENCE_MS,
    )
    expect(listed).toMatchObject([{ height: 0, lag: 0 }, { height: 0 }])
    await owner('DELETE', `${NODES}/${made[0]}`)
    expect((await statuses()).body).toMatchObject([{ id: made[1], state: 'started' }])
    expect((await statuses('?all=true')).body).toMatchObject([{ id: made[0], state: 'removed' }, { id: made[1] }])
    expect(await statuses('?all=perhaps')).toMatchObject({ status: 400 })
  })

  it('are empty for a user without nodes', async () => {
    expect(await owner('GET', `${NODES}/statuses`)).toMatchObject({ status: 200, body: [] })
  })
})

describe('a node of a user', () => {
  let id: string
  let url: string
  beforeAll(async () => {
    const user = nodes.user()
    id = (await user('POST', NODES, { image: 'ltc' })).body.id
    url = `${NODES}/${id}`
    somebody = user
  })
  let somebody: NodesUser

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/status'],
    ['GET', '/logs'],
    ['GET', '/usage'],
    ['POST', '/stop'],
    ['POST', '/rotate-credentials'],
  ])('is unknown to others: %s %s', async (method, rest) => {
    expect(await owner(method, url + rest)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
    expect(await somebody('GET', url)).toMatchObject({ status: 200, body: { id, state: 'started' } })
  })

  it.each([
    'node-1',
    '11111111-1111-4111-8111-111111111111',
    'cluster-11111111-1111-4111-8111-111111111111',
    '*',
    '%2f',
    'x'.repeat(5_000),
  ])('is not found by %s', async (other) => {
    expect(await somebody('GET', `${NODES}/${other}`)).toMatchObject({ status: 404 })
  })

  it('refuses an id that is not valid text', async () => {
    expect(await somebody('GET', `${NODES}/%00`)).toMatchObject({ status: 400 })
  })

  it('gets new credentials when they are rotated, and keeps them', async () => {
    const { body: before } = await somebody('GET', url)
    const { body: rotated } = await somebody('POST', `${url}/rotate-credentials`)
    expect(rotated.auth.pass).not.toBe(before.auth.pass)
    expect((await somebody('GET', url)).body.auth).toEqual(rotated.auth)
  })

  it.each(['-1', '0', '1e9', 'abc', '1001'])('refuses %s lines of log', async (lines) => {
    expect(await somebody('GET', `${url}/logs?lines=${lines}`)).toMatchObject({ status: 400 })
  })

  it('shows its log without its passwords', async () => {
    const { body } = await eventually(
      async () => {
        const answer = await somebody('GET', `${url}/logs`)
        return answer.body.lines.length > 0 ? answer : undefined
      },
      'it has written a line',
      PATIENCE_MS,
    )
    expect(body.lines.join('\n')).toContain('Litecoin')
    expect(body.lines.join('\n')).not.toContain((await somebody('GET', url)).body.auth.pass)
  })

  it('is removed once', async () => {
    expect(await somebody('DELETE', url)).toMatchObject({ status: 200, body: { id, state: 'removed' } })
    expect(await somebody('DELETE', url)).toMatchObject({ status: 404 })
    expect(await somebody('POST', `${url}/start`)).toMatchObject({ status: 404 })
  })
})

describe('the TTL of a node', () => {
  it('stops it once, and can be extended', async () => {
    const { body } = await owner('POST', NODES, { image: 'ltc', ttl: 60 })
    expect(Number(body.ttl)).toBe(Math.floor(Date.parse(body.createdAt) / 1000) + 60)
    await nodes.sql.query("UPDATE workload SET expires_at = now() - interval '1 second', reconcile_at = now() WHERE id = $1", [body.id])
    await eventually(
      async () => (await owner('GET', `${NODES}/${body.id}`)).body.state === 'stopped' || undefined,
      'its time is over',
      PATIENCE_MS,
    )
    expect(await owner('POST', `${NODES}/${body.id}/start`)).toMatchObject({ status: 409, body: { code: 'Expired' } })
    expect(await owner('PATCH', `${NODES}/${body.id}`, { ttl: 3600 })).toMatchObject({ status: 200, body: { state: 'stopped' } })
    expect(await owner('POST', `${NODES}/${body.id}/start`)).toMatchObject({ status: 200, body: { state: 'started' } })
    await owner('DELETE', `${NODES}/${body.id}`)
  })
})

describe('administrators', () => {
  it('read the plan and use of a user without starting a plan', async () => {
    const as = { authorization: `Bearer ${nodes.accounts.issuer.account({ payload: { aud: ['nodes', 'manager'] } })}` }
    const seen = async () => (await owner('GET', `/users/${owner.userId}/plan`, undefined, as)).body
    const unbegun = { nodes: 5, clusters: 2, startsAt: null, expiresAt: null, used: { nodes: 0, clusters: 0 } }
    expect([await seen(), await seen()]).toEqual([unbegun, unbegun])
    const { body: node } = await owner('POST', NODES, { image: 'ltc' })
    const { body: cluster } = await owner('POST', CLUSTERS, { image: 'ltc' })
    const { startsAt, expiresAt } = (await owner('GET', '/users/me/plan')).body
    expect(await seen()).toEqual({ ...unbegun, startsAt, expiresAt, used: { nodes: 1, clusters: 1 } })
    await owner('DELETE', `${NODES}/${node.id}`)
    expect(await seen()).toMatchObject({ used: { nodes: 0, clusters: 1 } })
    await owner('DELETE', `${CLUSTERS}/${cluster.id}`)
    expect(await owner('GET', '/users/me@example.org/plan', undefined, as)).toMatchObject({ status: 400 })
  })

  it('set plans, see everything but credentials, and disable services', async () => {
    const manager = nodes.accounts.issuer.account({ payload: { aud: ['nodes', 'manager'] } })
    const as = { authorization: `Bearer ${manager}` }
    const plan = { nodes: 1, clusters: 1, expiresAt: '2030-01-01T00:00:00.000Z' }
    expect(await owner('PUT', `/users/${owner.userId}/plan`, plan, as)).toMatchObject({ status: 200, body: plan })
    expect(await owner('GET', '/users/me/plan')).toMatchObject({ status: 200, body: plan })
    const { body: node } = await owner('POST', NODES, { image: 'ltc' })
    expect(node.userPlanData).toMatchObject({ id: expect.stringMatching(/^user-plan-/), expiresAt: plan.expiresAt })
    expect(await owner('POST', NODES, { image: 'ltc' })).toMatchObject({ status: 403, body: { code: 'LimitExceeded' } })
    const { body: all } = await owner('GET', '/nodes', undefined, as)
    expect(all.find(({ id }: { id: string }) => id === node.id)).toMatchObject({ user: owner.userId })
    expect(JSON.stringify(all)).not.toContain(node.auth.pass)
    expect(await owner('DELETE', `/services/${node.service}`, undefined, as)).toMatchObject({ body: { disabled: true } })
    expect(await nodes.user()('POST', NODES, { image: 'ltc' })).toMatchObject({ status: 409, body: { code: 'ImageUnavailable' } })
    expect(await owner('PUT', `/services/${node.service}`, undefined, as)).toMatchObject({ body: { disabled: false } })
    await owner('DELETE', `${NODES}/${node.id}`)
  })
})
