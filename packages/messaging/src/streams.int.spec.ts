import { jetstreamManager } from '@nats-io/jetstream'
import type { TestNats } from '@trestle/testing/nats'
import { startReplica, startTestNats, stopAll, type TestReplica, waitUntil } from '../test/service.js'
import { NatsConnection } from './nats-connection.js'
import { Streams } from './streams.js'

describe(Streams, () => {
  let nats: TestNats
  let service: TestReplica
  let streams: Streams

  beforeEach(async () => {
    nats = await startTestNats()
    service = await startReplica({ nats })
    streams = service.get(Streams)
    await waitUntil(() => streams.connection.client !== undefined)
  })

  afterEach(stopAll)

  it('lets several processes create a stream at the same time', async () => {
    const subjects = ['a', 'b', 'c', 'd'].map((name) => `${name}.item.added`)
    await Promise.all([streams.ensure({ stream: 'SHOP', subject: '*.item.added' }), ...subjects.map((subject) => publish(subject))])
    expect((await info()).state.messages).toBe(4)
  })

  it('recreates a stream that was deleted', async () => {
    const before = await publish('shop.item.added')
    await (await manager()).streams.delete('SHOP')
    expect(await publish('shop.item.added')).not.toBe(before)
    expect((await info()).state.messages).toBe(1)
  })

  it('looks a stream up again after the connection was lost', async () => {
    const before = await streams.ensure({ stream: 'SHOP', subject: 'shop.item.added' })
    await nats.wipe()
    await waitUntil(() => streams.connection.client !== undefined)
    expect(await streams.ensure({ stream: 'SHOP', subject: 'shop.item.added' })).not.toBe(before)
  })

  it('limits the size and age of a stream', async () => {
    await publish('shop.item.added')
    expect((await info()).config).toMatchObject({ storage: 'file', discard: 'old', max_bytes: 2 ** 29, max_age: 7 * 86_400 * 1e9 })
  })

  function publish(subject: string): Promise<string> {
    return streams.publish({ stream: 'SHOP', subject, id: subject, body: '{}', headers: {} })
  }

  async function info() {
    return (await manager()).streams.info('SHOP')
  }

  function manager() {
    return jetstreamManager(service.get(NatsConnection).client!)
  }
})
