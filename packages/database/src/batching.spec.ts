import { setImmediate as turn } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { Problem } from '@trestle/problem/problem'
import fc from 'fast-check'
import { batchLookups, groupCommit } from './batching.js'

describe(batchLookups, () => {
  it('gives each caller the value of its key, read after its call, in queries up to the limit', async () => {
    const turns = fc.array(fc.array(fc.nat(9), { maxLength: 12 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), turns, fc.integer({ min: 1, max: 4 }), async (scheduler, keysOfTurns, limit) => {
        let now = 0
        const lookup = batchLookups(async (keys: number[]) => {
          expect(keys.length).toBeLessThanOrEqual(limit)
          expect(new Set(keys).size).toBe(keys.length)
          const found = new Map(keys.map((key) => [key, { key, readAt: now++ }]))
          return scheduler.schedule(Promise.resolve(found))
        }, limit)
        const answers: Promise<void>[] = []
        for (const keys of keysOfTurns) {
          for (const key of keys) answers.push(expectFresh(lookup(key), key, now++))
          await turn()
        }
        await scheduler.waitFor(Promise.all(answers))
      }),
    )

    async function expectFresh(answer: Promise<{ key: number; readAt: number } | undefined>, key: number, askedAt: number) {
      const { readAt, ...found } = (await answer) ?? { readAt: -1 }
      expect(found).toEqual({ key })
      expect(readAt).toBeGreaterThan(askedAt)
    }
  })

  it('sends one query for the lookups of one turn', async () => {
    const load = jest.fn(async (keys: string[]) => new Map(keys.map((key) => [key, key.toUpperCase()])))
    const lookup = batchLookups(load)
    expect(await Promise.all([lookup('a'), lookup('b'), lookup('a')])).toEqual(['A', 'B', 'A'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('caches nothing', async () => {
    let version = 0
    const lookup = batchLookups(async () => new Map([['a', ++version]]))
    expect([await lookup('a'), await lookup('a')]).toEqual([1, 2])
  })

  it('returns undefined for a key that the query did not find', async () => {
    expect(await batchLookups(async () => new Map())('a')).toBeUndefined()
  })

  it('passes the failure of a query to all of its callers, and to no later one', async () => {
    const load = jest.fn(async () => new Map([['a', 1]])).mockRejectedValueOnce(new Error('no'))
    const lookup = batchLookups(load)
    expect(await Promise.allSettled([lookup('a'), lookup('b')])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(await lookup('a')).toBe(1)
  })
})

describe(groupCommit, () => {
  it('commits each valid item once before its promise resolves, and fails each invalid one alone', async () => {
    const turns = fc.array(fc.array(fc.boolean(), { maxLength: 12 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), turns, fc.integer({ min: 1, max: 4 }), async (scheduler, goodOfTurns, limit) => {
        const committed: number[] = []
        let largest = 0
        const save = groupCommit(async (items: { id: number; good: boolean }[]) => {
          largest = Math.max(largest, items.length)
          await scheduler.schedule(Promise.resolve())
          const bad = items.find(({ good }) => !good)
          if (bad) throw new Error(`bad ${bad.id}`)
          committed.push(...items.map(({ id }) => id))
        }, limit)
        const outcomes: Promise<void>[] = []
        let id = 0
        for (const items of goodOfTurns) {
          for (const good of items) outcomes.push(expectOutcome(save({ id: ++id, good }), id, good))
          await turn()
        }
        await scheduler.waitFor(Promise.all(outcomes))
        expect(new Set(committed).size).toBe(committed.length)
        expect(largest).toBeLessThanOrEqual(limit)

        async function expectOutcome(outcome: Promise<void>, item: number, good: boolean) {
          if (!good) return expect(outcome).rejects.toThrow(`bad ${item}`)
          await outcome
          expect(committed).toContain(item)
        }
      }),
    )
  })

  it('writes items in one group that arrive during the write of another', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>()
    const groups: number[][] = []
    const save = groupCommit(async (items: number[]) => {
      groups.push(items)
      await go
    })
    const first = save(1)
    await turn()
    const others = [save(2), save(3)]
    resolve()
    await Promise.all([first, ...others])
    expect(groups).toEqual([[1], [2, 3]])
  })

  it('fails all items at once while the database is unavailable, without writing one by one', async () => {
    const away = new Problem('unavailable', 'DatabaseUnavailable', 'Away.')
    const write = jest.fn(async (_: number[]) => {}).mockRejectedValueOnce(away)
    const save = groupCommit(write, 2)
    const outcomes = await Promise.allSettled([save(1), save(2), save(3)])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([away, away, away])
    expect(write).toHaveBeenCalledTimes(1)
    await save(4)
    expect(write).toHaveBeenLastCalledWith([4])
  })
})
