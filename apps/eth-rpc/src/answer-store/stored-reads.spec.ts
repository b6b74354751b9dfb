import { setImmediate as nextTurn } from 'node:timers/promises'
import { resultOf } from '../framing/outcome.js'
import type { SealedAnswer } from './answer-store.repository.js'
import { StoredReads } from './stored-reads.engine.js'

const ANSWER: SealedAnswer = { outcome: resultOf(1), mac: Buffer.alloc(16) }

describe(StoredReads, () => {
  it('reads in one query what is asked in one turn, and equal names once', async () => {
    const { find, queries } = desk()
    const found = [find('a'), find('b'), find('a'), find('c')]
    await nextTurn()
    expect(queries.map(({ names }) => names)).toEqual([['a', 'b', 'c']])
    queries[0]?.resolve(new Map([['a', ANSWER]]))
    expect(await Promise.all(found)).toEqual([ANSWER, undefined, ANSWER, undefined])
  })

  it('has two queries under way at most: what is asked meanwhile goes into the next', async () => {
    const { find, queries } = desk()
    for (const name of ['a', 'b', 'c', 'd']) {
      void find(name)
      await nextTurn()
    }
    expect(queries.map(({ names }) => names)).toEqual([['a'], ['b']])
    queries[0]?.resolve(new Map())
    await nextTurn()
    expect(queries.map(({ names }) => names)).toEqual([['a'], ['b'], ['c', 'd']])
  })

  it('asks for no more than 256 at once', async () => {
    const { find, queries } = desk()
    for (let name = 0; name < 300; name++) void find(String(name))
    await nextTurn()
    expect(queries.map(({ names }) => names.length)).toEqual([256, 44])
  })

  it('does not wait for what is slow, also where it was not even sent', async () => {
    const { find, queries, troubles } = desk(50)
    const found: Promise<unknown>[] = []
    for (const name of ['a', 'b', 'c']) {
      found.push(find(name))
      await nextTurn()
    }
    expect(await Promise.all(found)).toEqual(['slow', 'slow', 'slow'])
    expect(troubles).toEqual(['slow', 'slow', 'slow'])
    queries[0]?.resolve(new Map([['a', ANSWER]]))
    await nextTurn()
    // Nobody waits for c any more.
    expect(queries).toHaveLength(2)
    const next = find('d')
    await nextTurn()
    queries[2]?.resolve(new Map([['d', ANSWER]]))
    expect(await next).toBe(ANSWER)
  })

  it('says so where it fails', async () => {
    const { find, queries, troubles } = desk()
    const found = find('a')
    await nextTurn()
    queries[0]?.reject(new Error('away'))
    expect(await found).toBe('failed')
    expect(troubles).toEqual(['failed'])
  })
})

function desk(maxReadMs = 60_000) {
  const queries: (PromiseWithResolvers<ReadonlyMap<string, SealedAnswer>> & { names: readonly string[] })[] = []
  const troubles: string[] = []
  const list = (names: readonly string[]) => {
    const query = { ...Promise.withResolvers<ReadonlyMap<string, SealedAnswer>>(), names }
    queries.push(query)
    return query.promise
  }
  const reads = new StoredReads({ list }, { troubled: (reason) => void troubles.push(reason), succeeded: () => undefined }, maxReadMs)
  return { queries, troubles, find: (name: string) => reads.find(name) }
}
