import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { MESSAGES } from '@trestle/contracts/nats/messages'
import { streamPlans } from '@trestle/contracts/nats/stream-plans'
import { ensureStream } from '@trestle/messaging/ensure-stream'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { type TestNats, testNats } from '@trestle/testing/nats'
import type { LiveProject } from '../projects/live-project.js'
import type { FilterChangesService } from './filter-changes.service.js'
import { filterId, SLOTS } from './filter-id.js'
import type { FilterRecord } from './filter-record.js'
import { FilterStoreClient } from './filter-store.client.js'
import { FiltersService } from './filters.service.js'

const PROJECT = { serial: 7 } as LiveProject
const RECORD: FilterRecord = { kind: 'pending', since: 0, told: [] }
const FREE = 10

describe(FiltersService, () => {
  let nats: TestNats
  let replicas: Awaited<ReturnType<typeof replicaAt>>[]

  beforeAll(async () => {
    nats = await testNats()
    await createStreams(nats)
    replicas = await Promise.all([replicaAt(nats), replicaAt(nats)])
    for (const slot of SLOTS.slice(FREE)) await replicas[0]!.store.write({ project: 7, id: filterId(slot, Buffer.alloc(15)) }, RECORD)
  })
  afterAll(async () => {
    await Promise.all(replicas.map(({ close }) => close()))
    await nats.stop()
  })

  it('creates exactly as many filters as a project may have under concurrent requests', async () => {
    const made = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => create(i)))
    const ids = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(new Set(ids).size).toBe(FREE)
    for (const each of made) if (each.status === 'rejected') expect(each.reason).toMatchObject({ error: { code: -32_005 } })
    expect((await replicas[0]!.store.listTaken(7)).size).toBe(SLOTS.length)
    for (const id of ids) expect(await perform(1, 'eth_getFilterChanges', id)).toEqual([])
  })

  it('reuses the slot of a deleted filter without confusing the two', async () => {
    const gone = filterId('3e7', Buffer.alloc(15))
    expect(await perform(0, 'eth_uninstallFilter', gone)).toBe(true)
    const next = await create(1)
    expect(next.slice(0, 5)).toBe(gone.slice(0, 5))
    await expect(perform(0, 'eth_getFilterChanges', gone)).rejects.toMatchObject({ error: { message: 'filter not found' } })
    expect(await perform(0, 'eth_uninstallFilter', gone)).toBe(false)
    expect(await perform(0, 'eth_getFilterChanges', next)).toEqual([])
  })

  it('lets exactly one of several concurrent requests uninstall a filter', async () => {
    const id = filterId('3e6', Buffer.alloc(15))
    const removed = await Promise.all([0, 1, 0, 1].map((turn) => perform(turn, 'eth_uninstallFilter', id)))
    expect(removed.filter((each) => each)).toHaveLength(1)
  })

  function create(turn: number): Promise<string> {
    return perform(turn, 'eth_newPendingTransactionFilter') as Promise<string>
  }

  async function perform(turn: number, method: string, ...params: unknown[]): Promise<unknown> {
    const { json } = await replicas[turn % 2]!.filters.perform(method, params, PROJECT)
    return JSON.parse(json.toString())
  }
})

/** As accounts does. */
async function createStreams(nats: TestNats): Promise<void> {
  const client = await connect(nats.administrator)
  const manager = await jetstreamManager(client)
  for (const plan of streamPlans(identitiesOf(DEPLOYMENTS), MESSAGES)) await ensureStream(manager, plan)
  await client.close()
}

async function replicaAt(nats: TestNats) {
  const logger = createLogger('test', 'silent')
  const lifecycle = new Lifecycle(logger)
  const options = { service: 'eth', ...natsOptions(nats.env('eth')), trustRoots: [] }
  const connection = new NatsConnection(options, logger, new Metrics(), lifecycle)
  const { promise, resolve } = Promise.withResolvers<void>()
  connection.onConnected(resolve)
  connection.onModuleInit()
  await promise
  const store = new FilterStoreClient(connection, options)
  const changes = { startPending: () => RECORD, since: async (record: FilterRecord) => ({ json: Buffer.from('[]'), next: record }) }
  return { store, filters: new FiltersService(store, changes as unknown as FilterChangesService), close: () => lifecycle.run('close') }
}
