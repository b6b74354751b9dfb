import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import fc from 'fast-check'
import { LiveRows, type LiveTable } from './live-rows.js'

interface Row {
  readonly id: string
  readonly owner: string
  readonly version: number
  readonly until?: number
}

const BUSY = new Error('busy')
const AWAY = Object.assign(new Error('the database system is starting up'), { code: '57P03' })

describe(LiveRows, () => {
  it('serves nothing read before an announced change, however reads and changes interleave', async () => {
    const what = fc.constantFrom('get', 'change', 'read again', 'turn', 'answer')
    const steps = fc.array(fc.record({ what, id: fc.constantFrom('a', 'b') }), { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, all) => {
        const versions: Record<string, number> = { a: 1, b: 2 }
        const { rows } = setUp<string>({
          keyOf: (id) => id,
          list: async (ids) => {
            const found = ids.map((id) => ({ id, owner: id, version: versions[id] as number }))
            await scheduler.schedule(Promise.resolve())
            return found.filter(({ version }) => isThere(version))
          },
        })
        const settled: Promise<void>[] = []
        for (const { what, id } of all) {
          if (what === 'get') settled.push(expectFresh(id, versions[id] as number))
          if (what === 'read again') settled.push(rows.readAgain())
          if (what === 'turn') await turn()
          if (what === 'answer' && scheduler.count() > 0) await scheduler.waitOne()
          if (what !== 'change') continue
          versions[id] = (versions[id] as number) + 1
          rows.forget(id, [id])
        }
        await scheduler.waitFor(Promise.all(settled))
        await scheduler.waitFor(Promise.all(['a', 'b'].map((id) => expectFresh(id, versions[id] as number))))

        async function expectFresh(id: string, since: number) {
          const told = (await rows.get(id))?.version
          const until = versions[id] as number
          const possible = Array.from({ length: until - since + 1 }, (_, i) => since + i)
          expect(possible.map((version) => (isThere(version) ? version : undefined))).toContain(told)
        }
      }),
    )

    /** Every third version is that there is none. */
    function isThere(version: number): boolean {
      return version % 3 > 0
    }
  })

  it('reads once for concurrent look-ups, then serves from memory', async () => {
    const { rows, world, asked } = setUp()
    const row = world.put('a')
    expect(await Promise.all([rows.get('a'), rows.get('a'), rows.get('b')])).toEqual([row, row, undefined])
    expect([rows.get('a'), rows.get('b')]).toEqual([row, undefined])
    expect(asked).toEqual([['a', 'b']])
  })

  it('keeps the value of a row that is read again unchanged', async () => {
    const { rows, world } = setUp()
    world.put('a')
    const value = await rows.get('a')
    world.put('a')
    await rows.readAgain()
    expect(rows.get('a')).toBe(value)
    world.put('a', { version: 2 })
    await rows.readAgain()
    expect(rows.get('a')).toEqual({ ...value, version: 2 })
  })

  it('remembers an unknown id for a while, unless a change of it is announced', async () => {
    const { rows, world, clock } = setUp()
    expect(await rows.get('a')).toBeUndefined()
    world.put('a')
    expect(rows.get('a')).toBeUndefined()
    clock.advance(1_000)
    expect(await rows.get('a')).toBeDefined()
    expect(await rows.get('b')).toBeUndefined()
    world.put('b')
    rows.forget('ada', ['b'])
    expect(await rows.get('b')).toBeDefined()
  })

  it('does not look up what is not an id', () => {
    const { rows, asked } = setUp()
    expect([rows.get('A'), rows.get(''), rows.get('a b')]).toEqual([undefined, undefined, undefined])
    expect(asked).toEqual([])
  })

  it('reads again exactly the ids that a change concerns', async () => {
    const { rows, world, asked } = setUp()
    for (const id of ['a', 'b']) world.put(id)
    world.put('c', { owner: 'bob' })
    await Promise.all(['a', 'b', 'c'].map((id) => rows.get(id)))
    rows.forget('ada')
    expect(['a', 'b', 'c'].map((id) => rows.known(id)?.owner)).toEqual([undefined, undefined, 'bob'])
    await Promise.all(['a', 'b', 'c'].map((id) => rows.get(id)))
    expect(asked).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ])
  })

  it('does not keep a row read during an announced change, even when its id was unknown then', async () => {
    const { rows, world } = setUp()
    world.put('a')
    const looking = rows.get('a')
    await turn()
    rows.forget('ada')
    expect(await looking).toBeDefined()
    expect(rows.known('a')).toBeUndefined()
  })

  it('serves nothing that has expired, even when read after that', async () => {
    const { rows, world, clock } = setUp()
    world.put('a', { until: clock.now().getTime() + 10 })
    world.put('b', { until: clock.now().getTime() })
    expect(await rows.get('a')).toBeDefined()
    expect(await rows.get('b')).toBeUndefined()
    clock.advance(10)
    expect(await rows.get('a')).toBeUndefined()
  })

  it('serves rows for an hour while they cannot be read', async () => {
    const { rows, world, clock } = setUp()
    const row = world.put('a')
    await rows.get('a')
    world.failure = AWAY
    await expect(rows.readAgain()).rejects.toBe(AWAY)
    clock.advance(3_599_999)
    expect(rows.get('a')).toBe(row)
    clock.advance(1)
    await expect(rows.get('a')).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
  })

  it('passes on the error of a read, and reads again', async () => {
    const { rows, world } = setUp()
    world.failure = new Error('a bug')
    await expect(rows.get('a')).rejects.toBe(world.failure)
    world.failure = undefined
    const row = world.put('a')
    expect(await rows.get('a')).toBe(row)
  })

  it('drops rows that nobody has used lately', async () => {
    const { rows, world, clock, asked } = setUp()
    for (const id of ['a', 'b']) world.put(id)
    await Promise.all([rows.get('a'), rows.get('b')])
    clock.advance(60_000)
    rows.known('b')
    clock.advance(1)
    await rows.readAgain()
    await rows.readAgain()
    expect(asked).toEqual([['a', 'b'], ['b'], ['b']])
  })

  it('refuses more than a thousand concurrent look-ups', async () => {
    const { rows } = setUp()
    const looking = Array.from({ length: 1_000 }, (_, i) => rows.get(`id${i}`))
    expect(() => rows.get('a')).toThrow(BUSY)
    await Promise.all(looking)
    expect(await rows.get('a')).toBeUndefined()
  })
})

/** Rows of a world of their own; changes are announced by their owner unless a test says otherwise. */
function setUp<K extends string = string>(overrides: Partial<LiveTable<Row, Row, K>> = {}) {
  const clock = new ManualClock()
  const world = new World()
  const asked: (readonly string[])[] = []
  const rows = new LiveRows<Row, Row, K>({
    clock,
    id: /^[a-z0-9]+$/,
    keyOf: (_, row) => row?.owner as K | undefined,
    idsOf: ({ id, until }) => [{ id, until }],
    versionOf: ({ version }) => version,
    make: (row) => row,
    missingMs: 1_000,
    idleMs: 60_000,
    refuse: (reason) => (reason === 'busy' ? BUSY : undefined),
    list: (ids) => {
      asked.push([...ids])
      return world.list(ids)
    },
    ...overrides,
  })
  return { rows, world, clock, asked }
}

class World {
  failure: Error | undefined
  private readonly rows = new Map<string, Row>()

  put(id: string, overrides: Partial<Row> = {}): Row {
    const row = { id, owner: 'ada', version: 1, ...overrides }
    this.rows.set(id, row)
    return row
  }

  async list(ids: readonly string[]): Promise<Row[]> {
    if (this.failure) throw this.failure
    return ids.flatMap((id) => this.rows.get(id) ?? [])
  }
}
