import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import { type NodesUnderTest, type NodesUser, nodeAuthorization, PATIENCE_MS, pidsOf, startNodesUnderTest } from './nodes-under-test.js'

const ADDRESS = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'
const CLUSTERS = '/users/me/clusters'

let nodes: NodesUnderTest
let owner: NodesUser
let id: string
let credentials: string
beforeAll(async () => {
  nodes = await startNodesUnderTest({ RECONCILE_MS: '500' })
  owner = nodes.user()
  const { body } = await owner('POST', CLUSTERS, { image: 'ltc', capacity: 3, alias: 'shop' })
  id = body.id
  credentials = nodeAuthorization(body.nodeUser, body.nodePass)
  await untilHealthy(3)
})
afterAll(() => nodes.stop())

describe('a cluster', () => {
  it('has several nodes behind one address, on one chain', async () => {
    expect((await owner('GET', `${CLUSTERS}/${id}`)).body).toMatchObject({
      id,
      name: 'shop',
      alias: 'shop',
      domain: 'trestle.test',
      capacity: 3,
      healthCount: 3,
      updatingService: null,
      phase: 'ready',
    })
    expect(await call('generatetoaddress', 5, ADDRESS)).toHaveLength(5)
    const members = await eventually(
      async () => {
        const { body } = await owner('GET', `${CLUSTERS}/${id}/status`)
        return body.members.every(({ height }: { height: number }) => height === 5) ? body.members : undefined
      },
      'all nodes have the blocks that one was told to make',
      PATIENCE_MS,
    )
    expect(members).toHaveLength(3)
  })

  it('answers every read while one of its nodes is killed, and has three again soon', async () => {
    const pids = await pidsOfMachines()
    const reads = readUntil(async () => {
      process.kill(pids[0] as number, 'SIGKILL')
      await eventually(async () => (await healthCount()) < 3 || undefined, 'it is missed', PATIENCE_MS)
      await untilHealthy(3)
    })
    const statuses = await reads
    expect(statuses.length).toBeGreaterThan(20)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await call('getblockcount')).toBe(5)
  })

  it('grows and shrinks without a failed read', async () => {
    const statuses = await readUntil(async () => {
      expect(await owner('PATCH', `${CLUSTERS}/${id}`, { capacity: 4 })).toMatchObject({ status: 200, body: { capacity: 4 } })
      await untilHealthy(4)
      expect(await owner('PATCH', `${CLUSTERS}/${id}`, { capacity: 2 })).toMatchObject({ status: 200, body: { capacity: 2 } })
      await untilHealthy(2)
    })
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('changes to another service one machine at a time, keeps its chain, and never counts more than its capacity', async () => {
    const { body: before } = await owner('GET', `${CLUSTERS}/${id}`)
    const large = await serviceOf('ltc', 'large')
    const counts: number[] = []
    const statuses = await readUntil(async () => {
      expect(await owner('PATCH', `${CLUSTERS}/${id}`, { serviceId: large })).toMatchObject({
        body: { updatingService: large, phase: 'updating' },
      })
      await nodes.sql.query("UPDATE workload_machine SET draining_since = now() - interval '30 seconds' WHERE draining_since IS NOT NULL")
      await eventually(
        async () => {
          // Whoever drains is not waited for here.
          await nodes.sql.query(
            "UPDATE workload_machine SET draining_since = draining_since - interval '30 seconds' WHERE draining_since > now() - interval '30 seconds'",
          )
          const { body } = await owner('GET', `${CLUSTERS}/${id}`)
          counts.push(body.healthCount)
          return body.updatingService === null ? body : undefined
        },
        'the change is complete',
        60_000,
      )
    })
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(Math.max(...counts)).toBe(2)
    const { body } = await owner('GET', `${CLUSTERS}/${id}`)
    expect(body).toMatchObject({ service: large, capacity: 2, serviceData: { performance: 'large' } })
    expect(body.service).not.toBe(before.service)
    expect(await call('getblockcount')).toBe(5)
  })

  it('returns to the former service when a change is aborted', async () => {
    expect(await owner('DELETE', `${CLUSTERS}/${id}/updatingService`)).toMatchObject({ status: 409, body: { code: 'NothingUpdating' } })
    const standard = await serviceOf('ltc', 'standard')
    await owner('PATCH', `${CLUSTERS}/${id}`, { serviceId: standard })
    expect(await owner('PATCH', `${CLUSTERS}/${id}`, { serviceId: await serviceOf('btc', 'standard') })).toMatchObject({
      status: 409,
      body: { code: 'OtherChain' },
    })
    expect(await owner('DELETE', `${CLUSTERS}/${id}/updatingService`)).toMatchObject({ status: 200, body: { updatingService: null } })
    await untilHealthy(2)
    const { rows } = await eventually(
      async () => {
        const found = await nodes.sql.query(
          "SELECT blueprint->>'performance' AS size FROM workload_machine WHERE desired_state = 'running' AND draining_since IS NULL",
        )
        return found.rows.every(({ size }) => size === 'large') ? found : undefined
      },
      'only large ones serve',
      PATIENCE_MS,
    )
    expect(rows).toHaveLength(2)
  })

  it('refuses the alias of another cluster of its owner', async () => {
    const { body: other } = await owner('POST', CLUSTERS, { image: 'btc' })
    expect(await owner('POST', `${CLUSTERS}/${other.id}/alias`, { alias: 'shop' })).toMatchObject({
      status: 409,
      body: { code: 'AliasTaken' },
    })
    expect(await owner('POST', `${CLUSTERS}/${other.id}/alias`, { alias: 'a; rm -rf' })).toMatchObject({ status: 400 })
    expect(await owner('POST', `${CLUSTERS}/${other.id}/alias`, { alias: 'store' })).toMatchObject({ status: 200, body: { name: 'store' } })
    expect(await owner('POST', CLUSTERS, { image: 'btc' })).toMatchObject({ status: 403, body: { code: 'LimitExceeded' } })
    await owner('DELETE', `${CLUSTERS}/${other.id}`)
  })

  it('leaves nothing behind', async () => {
    expect(await owner('DELETE', `${CLUSTERS}/${id}`)).toMatchObject({ status: 200, body: { id, state: 'removed' } })
    await eventually(
      async () => (await nodes.sql.query('SELECT FROM workload_machine')).rowCount === 0 || undefined,
      'all machines are gone',
      PATIENCE_MS,
    )
    expect(await nodes.rpc(id, credentials, { id: 1, method: 'getblockcount', params: [] })).toMatchObject({ status: 404 })
  })
})

async function call(method: string, ...params: unknown[]) {
  const { body } = await nodes.rpc(id, credentials, { jsonrpc: '1.0', id: 1, method, params })
  return body.result
}

/** The statuses of reads that go on while this happens. */
async function readUntil(work: () => Promise<void>): Promise<number[]> {
  const statuses: number[] = []
  let isDone = false
  const reading = (async () => {
    // With hardly a pause: the machines need something of this computer, too.
    for (; !isDone; await delay(5)) statuses.push((await nodes.rpc(id, credentials, { id: 1, method: 'getblockcount', params: [] })).status)
  })()
  await work().finally(() => {
    isDone = true
  })
  await reading
  return statuses
}

async function healthCount(): Promise<number> {
  return (await owner('GET', `${CLUSTERS}/${id}`)).body.healthCount
}

async function untilHealthy(count: number): Promise<void> {
  await eventually(async () => (await healthCount()) === count || undefined, `${count} nodes are healthy`, 60_000)
}

async function serviceOf(chain: string, performance: string): Promise<string> {
  const { body } = await owner('GET', '/services/clusters')
  return body.find(
    (each: { chain: string; metadata: { performance: string } }) => each.chain === chain && each.metadata.performance === performance,
  ).id
}

async function pidsOfMachines(): Promise<number[]> {
  const { rows } = await nodes.sql.query<{ id: string }>('SELECT id FROM workload_machine WHERE workload_id = $1', [id])
  return rows.flatMap((machine) => pidsOf(machine.id))
}
