import { setTimeout as delay } from 'node:timers/promises'
import { prefetched } from './prefetch.engine.js'

describe(prefetched, () => {
  const signal = new AbortController().signal

  it('yields the values in the order of their keys, whichever is loaded first', async () => {
    const load = async (key: number) => {
      await delay(key % 2 ? 1 : 10)
      return key
    }
    expect(await all(prefetched(keys(20), load, { signal, sizeOf: () => 1 }))).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  it('loads no more than the given number at once', async () => {
    let [loading, most] = [0, 0]
    const load = async (key: number) => {
      most = Math.max(most, ++loading)
      await delay(2)
      loading--
      return key
    }
    await all(prefetched(keys(30), load, { signal, sizeOf: () => 1, concurrency: 5, budget: 1000 }))
    expect(most).toBe(5)
  })

  it('loads one at a time if one fills the budget', async () => {
    const loading = new Set<number>()
    let most = 0
    const load = async (key: number) => {
      loading.add(key)
      await delay(1)
      return key
    }
    for await (const key of prefetched(keys(20), load, { signal, sizeOf: () => 1000, concurrency: 4, budget: 1000 })) {
      if (key > 8) most = Math.max(most, loading.size)
      loading.delete(key)
    }
    expect(most).toBe(1)
  })

  it('aborts running loads when the reader stops', async () => {
    const signals: AbortSignal[] = []
    const load = async (key: number, until: AbortSignal) => {
      signals.push(until)
      return key
    }
    for await (const key of prefetched(keys(20), load, { signal, sizeOf: () => 1 })) if (key === 3) break
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
  })

  it('throws the failure of a value in order', async () => {
    const load = async (key: number) => {
      if (key >= 3) throw new Error(`no ${key}`)
      return key
    }
    const seen: number[] = []
    const reading = (async () => {
      for await (const key of prefetched(keys(20), load, { signal, sizeOf: () => 1 })) seen.push(key)
    })()
    await expect(reading).rejects.toThrow('no 3')
    expect(seen).toEqual([0, 1, 2])
  })
})

async function* keys(count: number): AsyncIterable<number> {
  for (let key = 0; key < count; key++) yield key
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}
