import { broadcast, type PayloadOf } from '@trestle/contracts/message'
import { z } from 'zod'
import { Collector, startReplica, startTestNats, stopAll, waitUntil } from '../test/service.js'
import { Broadcasts } from './broadcasts.js'

const sold = broadcast({ subject: '*.item.sold', payload: z.object({ n: z.int() }) })

afterEach(stopAll)

describe(Broadcasts, () => {
  it('reach every process of the same service, and of no other', async () => {
    const nats = await startTestNats()
    const services = await Promise.all(['shop', 'shop', 'market'].map((service) => startReplica({ service, nats })))
    const heard = services.map((service) => {
      const seen = new Collector<PayloadOf<typeof sold>>()
      service.get(Broadcasts).subscribe(sold, seen.add)
      return seen
    })
    const [speaker, , other] = services.map((service) => service.get(Broadcasts))
    const numbers = () => heard.map(({ all }) => new Set(all.map(({ n }) => n)))
    // A process that is not connected yet gets the next one.
    await waitUntil(() => (speaker?.publish(sold, { n: 1 }) ?? false) && numbers().every((received, i) => received.has(1) || i === 2))
    await waitUntil(() => (other?.publish(sold, { n: 2 }) ?? false) && heard[2]?.all.length !== 0)
    speaker?.publish(sold, { n: 3 })
    await waitUntil(() => numbers().every((received, i) => received.has(3) || i === 2))
    expect(numbers()).toEqual([new Set([1, 3]), new Set([1, 3]), new Set([2])])
  })

  it('are neither published while NATS is away nor afterwards', async () => {
    const nats = await startTestNats()
    const service = await startReplica({ nats })
    const broadcasts = service.get(Broadcasts)
    const seen = new Collector<PayloadOf<typeof sold>>()
    broadcasts.subscribe(sold, seen.add)
    await waitUntil(() => broadcasts.publish(sold, { n: 1 }))
    await seen.atLeast(1)
    await nats.kill()
    await waitUntil(() => !broadcasts.publish(sold, { n: 2 }))
    expect(broadcasts.publish(sold, { n: 3 })).toBe(false)
    await nats.start()
    await waitUntil(() => broadcasts.publish(sold, { n: 4 }))
    await seen.atLeast(2)
    expect(seen.all.filter(({ n }) => n === 3)).toEqual([])
  })

  it('are ignored when they are malformed', async () => {
    const nats = await startTestNats()
    const service = await startReplica({ nats })
    const broadcasts = service.get(Broadcasts)
    const seen = new Collector<PayloadOf<typeof sold>>()
    broadcasts.subscribe(sold, seen.add)
    await waitUntil(() => broadcasts.publish(sold, { n: 1.5 }))
    broadcasts.publish(sold, { n: 2 })
    expect(await seen.atLeast(1)).toEqual([{ n: 2 }])
  })
})
