import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
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
    const before = await publish('shop.item.added')
    await (await manager()).streams.delete('SHOP')
    await expect(publish('shop.item.added')).rejects.toMatchObject({ code: 'StreamUnavailable' })
    await waitUntil(() => publish('shop.item.added').then((after) => after !== before, isUnavailable))
    expect((await info()).state.messages).toBe(1)
  })

  it('looks a stream up again after the connection was lost', async () => {
    const before = await streams.ensure({ stream: 'SHOP', subject: 'shop.item.added' })
    await nats.wipe()
    await waitUntil(() => streams.connection.client !== undefined)
    await waitUntil(() => streams.ensure({ stream: 'SHOP', subject: 'shop.item.added' }).then((after) => after !== before, isMissing))
  })

  function isUnavailable(error: Problem): boolean {
    if (error.code === 'StreamUnavailable') return false
    throw error
  }

  function isMissing(error: unknown): boolean {
    if (error instanceof JetStreamApiError && error.status === 404) return false
    throw error
  }

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
