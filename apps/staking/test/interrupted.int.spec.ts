import { setTimeout as delay } from 'node:timers/promises'
import type { ForgedKey } from '../src/keys/key-forge.service.js'
import { Stage } from './stage.js'

const ROUNDS = 40
const LONGEST_MS = 60

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

describe('a reconciler that is broken off again and again', () => {
  it('loses no key, no exit and no history, and lets no two sign with one key', async () => {
    const keys: ForgedKey[] = []
    const random = randomNumbers(7)
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 3 === 0) keys.push(await stage.create(round % 2 === 0 ? 'eu' : 'us'))
      if (round === 10) for (const key of keys.slice(0, 2)) await stage.deposit(key.depositCall, 0)
      if (round === 20) for (const key of keys.slice(0, 2)) await stage.want(key, 'exit_requested_at', new Date())
      if (round === 30) for (const key of keys.slice(2, 6)) await stage.want(key, 'removed_at', new Date())
      await stage.dev('advance', { epochs: 1 })
      const pass = stage.pass().catch((error) => error)
      await delay(random() * LONGEST_MS)
      await stage.lease?.release()
      stage.lease = undefined
      const failure = await pass
      if (failure !== undefined) expect(failure).toMatchObject({ name: 'LeaseLost' })
    }
    for (let passes = 0; passes < 2; passes++) await stage.pass()
    for (const key of keys) {
      const row = await stage.row(key)
      const holders = [await stage.held('eu', key), await stage.held('us', key)]
      const isReleased = row.released_at !== null
      expect(holders).toEqual([!isReleased && row.region === 'eu', !isReleased && row.region === 'us'])
      expect(isReleased || row.ready_at !== null).toBe(true)
      const { rows } = await stage.pool.query('SELECT FROM signing_history WHERE pubkey = $1', [key.pubkey])
      expect(rows.length > 0).toBe(isReleased)
    }
    expect(await Promise.all(keys.slice(2, 6).map(async (key) => (await stage.row(key)).released_at))).not.toContain(null)
    const { rows } = await stage.pool.query('SELECT pubkey, sent_at FROM signed_exit ORDER BY validator_index')
    expect(rows.map(({ pubkey }) => pubkey)).toEqual(expect.arrayContaining(keys.slice(0, 2).map(({ pubkey }) => pubkey)))
    await Promise.all(keys.slice(0, 2).map(async (key) => expect((await stage.row(key)).exit_epoch).not.toBeNull()))
    expect(await stage.doubleSigners()).toEqual([])
  })
})

/** The same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
