import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { type NatsCluster, startNatsCluster } from '@trestle/testing/nats-cluster'
import type { TestDatabase } from '@trestle/testing/postgres'
import { NatsConnection as ServiceConnection } from '../src/nats-connection.js'
import { addItems, startDatabase, startReplica, stopAll, type TestReplica, waitUntil } from './service.js'

describe('a stream in a cluster of three NATS servers', () => {
  let cluster: NatsCluster
  let database: TestDatabase
  let shop: TestReplica
  let observer: NatsConnection

  beforeEach(async () => {
    cluster = await startNatsCluster()
    database = await startDatabase()
    shop = await startReplica({ nats: cluster, database })
    await waitUntil(() => shop.get(ServiceConnection).client !== undefined)
    observer = await connect({ servers: cluster.url.split(',').map((url) => new URL(url).host), maxReconnectAttempts: -1 })
  })

  afterEach(async () => {
    await observer.close()
    await stopAll()
    await cluster.stop()
  })

  it('gets back what it held when the disk of its server is lost', async () => {
    await addItems(shop, [1, 2, 3])
    await waitUntil(async () => (await messages()) === 3)
    const server = await serverOfStream()
    await cluster.kill(server)
    cluster.wipe(server)
    await cluster.start(server)
    await waitUntil(async () => (await messages()) === 3)
  })

  async function info() {
    const manager = await jetstreamManager(observer, { checkAPI: false, timeout: 1_000 })
    return manager.streams.info('SHOP').catch(() => undefined)
  }

  async function messages(): Promise<number | undefined> {
    return (await info())?.state.messages
  }

  async function serverOfStream(): Promise<number> {
    const leader = (await info())?.cluster?.leader
    return [0, 1, 2].findIndex((server) => cluster.nameOf(server) === leader)
  }
})
