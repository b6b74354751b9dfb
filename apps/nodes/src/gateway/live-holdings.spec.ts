import { ManualClock } from '@trestle/runtime/test/manual-clock'
import type { Found, Holding, HoldingReader } from './holding-reader.service.js'
import { LiveHoldings } from './live-holdings.service.js'

const ID = 'node-11111111-1111-4111-8111-111111111111'
const UNKNOWN = 'cluster-22222222-2222-4222-8222-222222222222'
const AWAY = Object.assign(new Error('the database system is starting up'), { code: '57P03' })

describe(LiveHoldings, () => {
  it('reads a holding once, also when many ask at the same moment, and then knows it at once', async () => {
    const { holdings, reader } = setUp()
    const [one, other] = await Promise.all([holdings.get(ID), holdings.get(ID)])
    expect(one).toBe(other)
    expect(holdings.get(ID)).toBe(one)
    expect(reader.asked).toEqual([[ID]])
  })

  it('believes for a second that an id leads nowhere, unless a change of it is told', async () => {
    const { holdings, reader, clock } = setUp()
    expect(await holdings.get(UNKNOWN)).toBeUndefined()
    expect(holdings.get(UNKNOWN)).toBeUndefined()
    reader.found.set(UNKNOWN, found())
    holdings.forget(UNKNOWN)
    expect(await holdings.get(UNKNOWN)).toBeDefined()
    reader.found.delete(UNKNOWN)
    holdings.forget(UNKNOWN)
    expect(await holdings.get(UNKNOWN)).toBeUndefined()
    clock.advance(1_001)
    reader.found.set(UNKNOWN, found())
    expect(await holdings.get(UNKNOWN)).toBeDefined()
  })

  it.each(['', ID.toUpperCase(), ID.slice(0, -1), `${ID}0`, 'machine-11111111-1111-4111-8111-111111111111', '../'.repeat(10), '__proto__'])(
    'does not ask for %j, which is no id',
    (id) => {
      const { holdings, reader } = setUp()
      expect(holdings.get(id)).toBeUndefined()
      expect(reader.asked).toEqual([])
    },
  )

  it('does not serve what was read before a change was told of', async () => {
    const { holdings, reader } = setUp()
    await holdings.get(ID)
    const release = reader.hold()
    const reading = holdings.readAgain()
    holdings.forget(ID)
    const changed = found()
    release()
    await reading
    reader.found.set(ID, changed)
    expect(await holdings.get(ID)).toBe(changed.holding)
  })

  it('finds by reading again what it has not heard of', async () => {
    const { holdings, reader } = setUp()
    await holdings.get(ID)
    reader.found.delete(ID)
    await holdings.readAgain()
    expect(holdings.get(ID)).toBeUndefined()
  })

  it('serves what it knows for an hour while Postgres is away, and nothing that was told to have changed', async () => {
    const { holdings, reader, clock } = setUp()
    const known = await holdings.get(ID)
    reader.failure = AWAY
    await expect(holdings.readAgain()).rejects.toBe(AWAY)
    clock.advance(3_599_000)
    expect(holdings.get(ID)).toBe(known)
    await expect(holdings.get(UNKNOWN)).rejects.toMatchObject({ status: 503, code: 'DatabaseUnavailable' })
    clock.advance(1_000)
    await expect(holdings.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('does not serve what was told to have changed while Postgres is away', async () => {
    const { holdings, reader } = setUp()
    await holdings.get(ID)
    reader.failure = AWAY
    holdings.forget(ID)
    await expect(holdings.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('keeps none that nobody asked for in ten minutes', async () => {
    const { holdings, reader, clock } = setUp()
    await holdings.get(ID)
    clock.advance(600_001)
    await holdings.readAgain()
    expect(reader.asked).toEqual([[ID]])
  })
})

function setUp() {
  const reader = new FakeReader()
  const clock = new ManualClock()
  reader.found.set(ID, found())
  return { reader, clock, holdings: new LiveHoldings(reader as unknown as HoldingReader, clock) }
}

class FakeReader {
  readonly found = new Map<string, Found>()
  readonly asked: (readonly string[])[] = []
  failure: Error | undefined
  private held: Promise<void> | undefined

  /** The next answers are those of now, and come when they are released. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return () => {
      this.held = undefined
      resolve()
    }
  }

  async read(ids: readonly string[]): Promise<Map<string, Found>> {
    this.asked.push([...ids])
    if (this.failure) throw this.failure
    const answer = new Map([...this.found].filter(([id]) => ids.includes(id)))
    await this.held
    return answer
  }
}

function found(): Found {
  return { holding: { id: ID } as Holding, text: '' }
}
