import { jetstreamManager } from '@nats-io/jetstream'
import type { Problem } from '@trestle/problem/problem'
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

  it('stores again once a stream that was deleted is back', async () => {
    await publish('shop.item.added')
    await (await manager()).streams.delete('SHOP')
    await expect(publish('shop.item.added')).rejects.toMatchObject({ code: 'StreamUnavailable' })
    await waitUntil(() => publish('shop.item.added').then(() => true, isUnavailable))
    expect((await info()).state.messages).toBe(1)
  })

  it('reports another creation of a stream that was lost', async () => {
    const before = await streams.state('SHOP')
    await nats.wipe()
    await waitUntil(() => streams.state('SHOP').then(({ created }) => created !== before.created, isUnavailable))
  })

  function isUnavailable(error: Problem): boolean {
    if (error.code === 'StreamUnavailable') return false
    throw error
  }

  function publish(subject: string) {
    return streams.publish({ stream: 'SHOP', subject, id: subject, body: '{}', headers: {} })
  }

  async function info() {
    return (await manager()).streams.info('SHOP')
  }

  function manager() {
    return jetstreamManager(service.get(NatsConnection).client!)
  }
})
