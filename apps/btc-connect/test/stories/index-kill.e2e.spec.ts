import { setTimeout as pause } from 'node:timers/promises'
import { jest } from '@jest/globals'
import type { BuiltReplica } from './built-service.js'
import { checksumOf, contradictionsIn } from './invariants.js'
import { SeededRandom } from './random.js'
import { Sampler } from './sampler.js'
import { Victim } from './victim.js'
import { StoryWorld } from './world.js'

// kill -9 of the writer at random moments: while an empty index is loaded, while blocks come, while they are taken back. Afterwards the
// index is what one is that nobody disturbed, and nothing that was answered meanwhile was untrue. ROUNDS=30 SEED=2 for the long run.

const ROUNDS = Number(process.env.ROUNDS ?? 2)
const SEED = Number(process.env.SEED ?? 1)
const IS_LONG = ROUNDS > 3
// More than one of the load's transactions can hold, where there is time for it.
const FAT_BLOCKS = IS_LONG ? 80 : 5
const BULK = { BULK_MIN_BLOCKS: '50' }
const BLOCK_BY_BLOCK = { BULK_MIN_BLOCKS: '1000000' }

jest.setTimeout(300_000 + ROUNDS * 120_000)

describe('a writer that is killed', () => {
  const moments = new SeededRandom(`moments ${SEED}`)
  let world: StoryWorld
  let api: BuiltReplica
  let victim: Victim
  let sampler: Sampler
  let loadingMillis = 0

  beforeAll(async () => {
    world = await StoryWorld.create('litecoind', { seed: SEED, hasWallet: false, settings: BULK })
    await world.traffic.begin()
    await world.traffic.round(IS_LONG ? 200 : 100)
    await world.traffic.fatten(FAT_BLOCKS)
    await world.traffic.round(30)
    api = await world.service.start('api')
    victim = new Victim(world.service, BULK)
    await victim.start()
    const startedAt = performance.now()
    await world.caughtUp()
    loadingMillis = performance.now() - startedAt
    await api.ready()
    sampler = new Sampler(api, moments)
    sampler.start([...(await world.truth()).state.addresses.keys()])
  })

  afterAll(async () => {
    await world.end()
  })

  it('in the bulk load continues, and ends with the same index', async () => {
    const expected = await checksumOf(world.service.sql)
    const killed: string[] = []
    let loads = 0
    for (; killed.length < ROUNDS; loads++) {
      const fresh = await world.service.another()
      const loader = new Victim(fresh, BULK)
      while (killed.length + loader.killed.length < ROUNDS && (await loader.progress()).phase !== 'tip') await killOnce(loader)
      await loader.start()
      await world.caughtUp(fresh)
      expect(await checksumOf(fresh.sql)).toEqual(expected)
      expect(await contradictionsIn(fresh.sql)).toEqual([])
      killed.push(...loader.killed)
      await fresh.stop()
      await judge()
      if (IS_LONG) tell(`${killed.length} kills in ${loads + 1} loads survived`)
    }
    tell(`bulk: ${killed.length} kills in ${loads} loads of ${Math.round(loadingMillis)} ms: ${counted(killed)}`)
  })

  it('between blocks, payments and small reorganizations continues with the same index', async () => {
    const before = victim.killed.length
    for (let round = 0; round < ROUNDS; round++) {
      const busy = live(IS_LONG ? 4 : 2)
      await victim.killAfter(moments.between(0, 1500))
      if (IS_LONG && moments.chance(0.3)) await victim.startAndKill(moments.between(0, 1500))
      await victim.start()
      await busy
      await isAsUndisturbed()
    }
    tell(`tip: ${counted(victim.killed.slice(before))}`)
  })

  it('in a deep reorganization continues with the same index', async () => {
    const before = victim.killed.length
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      await world.reader.read()
      const reorganization = world.traffic.reorganize(moments.between(8, 50), { longer: moments.between(1, 3) })
      await victim.moved(5_000)
      await victim.killAfter(moments.between(0, 150))
      await victim.start()
      if (IS_LONG) {
        await victim.killAfter(moments.between(0, 400))
        await victim.start()
      }
      await reorganization
      await world.traffic.round(10)
      await isAsUndisturbed()
    }
    expect(await checksumOf(world.service.sql)).toEqual(await freshChecksum())
    tell(`reorganisations: ${counted(victim.killed.slice(before))}`)
  })

  it('kept the API correct at every moment', async () => {
    await sampler.stop()
    await judge()
    tell(`${sampler.count} answers meanwhile`)
    expect(sampler.failures).toEqual([])
    expect(sampler.lies).toEqual([])
    expect(sampler.count).toBeGreaterThan(100)
    expect((await world.compare(api)).differences).toEqual([])
  })

  async function isAsUndisturbed(): Promise<void> {
    await world.caughtUp()
    await judge()
    expect(await contradictionsIn(world.service.sql)).toEqual([])
    if (!IS_LONG) return
    expect(await checksumOf(world.service.sql)).toEqual(await freshChecksum())
    tell(`${victim.killed.length} kills survived`)
  }

  /** While nothing moves: every block that is there is known then. */
  async function judge(): Promise<void> {
    await world.reader.read()
    sampler.judge(world.reader)
  }

  /** A few rounds of what people do, and what a network does now and then. Every block that ever was the last is remembered. */
  async function live(rounds: number): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await world.traffic.round(moments.between(1, 15))
      await world.reader.read()
      const stale = moments.chance(0.25) ? await world.traffic.reorganize(moments.between(1, 4), { comesBack: moments.chance(0.3) }) : []
      await world.reader.read(stale)
      await pause(moments.between(0, 200))
    }
  }

  /** Of an index that nobody disturbs. */
  async function freshChecksum() {
    const fresh = await world.service.another()
    await fresh.start('indexer', moments.pick([BULK, BLOCK_BY_BLOCK]))
    await world.caughtUp(fresh)
    const checksum = await checksumOf(fresh.sql)
    await fresh.stop()
    return checksum
  }

  /** While it starts, or at any moment of the load, or in the merge after it, which is short. */
  async function killOnce(loader: Victim): Promise<void> {
    if (moments.chance(0.15)) return loader.startAndKill(moments.between(0, 2000))
    await loader.start()
    if (moments.chance(0.6)) return loader.killAfter(moments.between(0, Math.round(loadingMillis)))
    await loader.reached('merge', 20_000)
    await loader.killAfter(moments.between(0, Math.round(loadingMillis / 5)))
  }
})

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

function counted(moments: readonly string[]): string {
  const counts = [...new Set(moments)].sort().map((moment) => `${moments.filter((each) => each === moment).length} in ${moment}`)
  return counts.join(', ')
}
