import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { publishInOrder } from './publish-in-order.js'

interface Item {
  readonly stream: string
  readonly key: string
  readonly n: number
  readonly ms: number
}

/** What becomes of a publication: stored or not, acknowledged or not. */
const FATES = ['stored', 'lost', 'acknowledgement lost'] as const

const Items = fc
  .array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), ms: fc.integer({ min: 0, max: 2 }) }), { maxLength: 30 })
  .map((items) => items.map((item, n): Item => ({ ...item, n, stream: 'S' })))

describe(publishInOrder, () => {
  it('stores the items of each key first in their order, however often publishing fails', async () => {
    await fc.assert(
      fc.asyncProperty(Items, fc.array(fc.constantFrom(...FATES), { maxLength: 20 }), async (items, fates) => {
        const stream: Item[] = []
        const acknowledged = new Set<Item>()
        const publish = async (item: Item) => {
          const fate = fates.pop() ?? 'stored'
          await delay(item.ms)
          if (fate !== 'lost') stream.push(item)
          if (fate === 'stored') acknowledged.add(item)
          return fate === 'stored'
        }
        const waiting = () => items.filter((item) => !acknowledged.has(item))
        while (waiting().length > 0) await publishInOrder(waiting(), 3, publish)
        for (const [key, stored] of Map.groupBy(new Set(stream), (item) => item.key)) {
          expect(stored).toEqual(items.filter((item) => item.key === key))
        }
        expect(new Set(stream)).toEqual(new Set(items))
      }),
      { numRuns: 200 },
    )
  })

  it('publishes different keys at the same time, up to a limit', async () => {
    let running = 0
    let max = 0
    const items = Array.from({ length: 20 }, (_, n) => ({ stream: 'S', key: String(n) }))
    await publishInOrder(items, 5, async () => {
      max = Math.max(max, ++running)
      await delay(1)
      running--
      return true
    })
    expect(max).toBe(5)
  })

  it('publishes nothing more to a stream after a failure, but to the others', async () => {
    const begun: number[] = []
    const items = Array.from({ length: 100 }, (_, n) => ({ stream: n % 2 ? 'S' : 'T', key: String(n), n }))
    await publishInOrder(items, 4, async ({ n }) => {
      begun.push(n)
      return n % 2 === 1
    })
    expect(begun.filter((n) => n % 2 === 0)).toEqual([0, 2])
    expect(begun.filter((n) => n % 2 === 1)).toHaveLength(50)
  })
})
