import { AckPolicy, type JetStreamManager, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection as Client, connect, nanos } from '@nats-io/transport-node'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { MESSAGES } from '@trestle/contracts/nats/messages'
import { streamPlans } from '@trestle/contracts/nats/stream-plans'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { waitUntil } from '../test/service.js'
import { natsOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'
import { Signatures } from './signatures.js'
import { StreamFailures } from './stream-failures.js'
import { StreamOwner } from './stream-owner.js'
import { Streams } from './streams.js'

const STREAMS = streamPlans(identitiesOf(DEPLOYMENTS), MESSAGES)
const NAMES = ['ACCOUNTS', 'ACTIVITY', 'ETC_FILTERS', 'ETH_FILTERS', 'ETH_RPC', 'SECURITY', 'STAKING']
const WEEK = nanos(7 * 86_400_000)

describe(StreamOwner, () => {
  let nats: TestNats
  let client: Client
  let manager: JetStreamManager
  const owners: { stop(): Promise<void> }[] = []

  beforeEach(async () => {
    nats = await testNats()
    client = await connect(nats.administrator)
    manager = await jetstreamManager(client)
  })

  afterEach(async () => {
    await Promise.all(owners.splice(0).map((owner) => owner.stop()))
    await client.close()
    await nats.stop()
  })

  it('creates the streams and consumers of all deployments, with the rights of accounts', async () => {
    startOwner()
    startOwner()
    await waitUntil(isComplete)
    expect((await manager.streams.names().next()).toSorted()).toEqual(NAMES)
    expect((await manager.streams.info('ACTIVITY')).config).toMatchObject({
      subjects: expect.arrayContaining(['nodes.activity.recorded', 'btc.activity.recorded', 'eth.activity.recorded']),
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      max_age: WEEK,
      max_bytes: 2 ** 29,
    })
    expect((await manager.streams.info('ETH_FILTERS')).config).toMatchObject({ subjects: ['eth.filter.*.*'], max_msgs_per_subject: 1 })
    expect((await manager.consumers.info('ACCOUNTS', 'nodes-disabled-users')).config).toMatchObject({
      ack_policy: AckPolicy.Explicit,
      filter_subject: 'accounts.user.disabled',
      max_deliver: -1,
    })
  })

  it('creates again what was deleted, and all that a wiped NATS has lost', async () => {
    startOwner()
    await waitUntil(isComplete)
    await manager.consumers.delete('ACTIVITY', 'accounts-events')
    await manager.streams.delete('ACCOUNTS')
    await waitUntil(isComplete)
    await nats.wipe()
    await waitUntil(isComplete)
  })

  it('adopts the streams of the release before, with their messages, subjects and the positions of their consumers', async () => {
    await manager.streams.add({ name: 'ACTIVITY', subjects: ['nodes.activity.recorded', 'old.activity.recorded'], max_age: nanos(1000) })
    await manager.consumers.add('ACTIVITY', {
      durable_name: 'accounts-events',
      filter_subject: '*.activity.recorded',
      ack_policy: AckPolicy.Explicit,
    })
    await client.request('nodes.activity.recorded', 'one')
    startOwner()
    await waitUntil(isComplete)
    const { config, state } = await manager.streams.info('ACTIVITY')
    expect(config.subjects).toEqual(expect.arrayContaining(['old.activity.recorded', 'accounts.activity.recorded']))
    expect([config.max_age, state.last_seq]).toEqual([WEEK, 1])
    expect((await manager.consumers.info('ACTIVITY', 'accounts-events')).delivered.stream_seq).toBe(0)
  })

  it('goes on with the others when one stream cannot be created', async () => {
    await manager.streams.add({ name: 'THIEF', subjects: ['eth.filter.>'] })
    startOwner()
    await waitUntil(async () => (await manager.streams.names().next()).length === NAMES.length)
    expect((await manager.streams.names().next()).toSorted()).toEqual([...NAMES.filter((name) => name !== 'ETH_FILTERS'), 'THIEF'].sort())
  })

  async function isComplete(): Promise<boolean> {
    const found = STREAMS.flatMap(({ name, consumers }) => [
      manager.streams.info(name),
      ...consumers.map((consumer) => manager.consumers.info(name, consumer.name)),
    ])
    return (await Promise.allSettled(found)).every(({ status }) => status === 'fulfilled')
  }

  function startOwner(): void {
    const options = { service: 'accounts', ...natsOptions(nats.env('accounts')), streams: STREAMS }
    const logger = createLogger('accounts', 'silent')
    const lifecycle = new Lifecycle(logger)
    const metrics = new Metrics()
    const connection = new NatsConnection(options, logger, metrics, lifecycle)
    const owner = new StreamOwner(
      options,
      new Streams(connection, new Signatures(options, logger, metrics), new StreamFailures(logger, metrics)),
      metrics,
      lifecycle,
    )
    connection.onModuleInit()
    owner.onApplicationBootstrap()
    owners.push({ stop: () => lifecycle.run('flush').then(() => lifecycle.run('close')) })
  }
})
