import { setTimeout as delay } from 'node:timers/promises'
import type { GeneratedKey } from '../src/keys/key-generator.engine.js'
import { ReconcilerHarness } from './reconciler-harness.js'

const ROUNDS = 40
const MAX_MS = 60

let harness: ReconcilerHarness
beforeAll(async () => {
  harness = await ReconcilerHarness.open()
})
afterAll(() => harness.close())

describe('a reconciler that is interrupted again and again', () => {
  it('loses no key, exit or history, and never lets two signers hold one key', async () => {
    const keys: GeneratedKey[] = []
    const random = randomNumbers(7)
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 3 === 0) keys.push(await harness.create(round % 2 === 0 ? 'eu' : 'us'))
      if (round === 10) for (const key of keys.slice(0, 2)) await harness.deposit(key.depositCall, 0)
      if (round === 20) for (const key of keys.slice(0, 2)) await harness.set(key, 'exit_requested_at', new Date())
      if (round === 30) for (const key of keys.slice(2, 6)) await harness.set(key, 'removed_at', new Date())
      await harness.dev('advance', { epochs: 1 })
      const pass = harness.pass().catch((error) => error)
      await delay(random() * MAX_MS)
      await harness.lease?.release()
      harness.lease = undefined
      const failure = await pass
      if (failure !== undefined) expect(failure).toMatchObject({ name: 'LeaseLost' })
    }
    for (let passes = 0; passes < 2; passes++) await harness.pass()
    for (const key of keys) {
      const row = await harness.row(key)
      const holders = [await harness.held('eu', key), await harness.held('us', key)]
      const isReleased = row.released_at !== null
      expect(holders).toEqual([!isReleased && row.region === 'eu', !isReleased && row.region === 'us'])
      expect(isReleased || row.ready_at !== null).toBe(true)
      const { rows } = await harness.pool.query('SELECT FROM signing_history WHERE pubkey = $1', [key.pubkey])
      expect(rows.length > 0).toBe(isReleased)
    }
    expect(await Promise.all(keys.slice(2, 6).map(async (key) => (await harness.row(key)).released_at))).not.toContain(null)
    const { rows } = await harness.pool.query('SELECT pubkey, sent_at FROM signed_exit ORDER BY validator_index')
    expect(rows.map(({ pubkey }) => pubkey)).toEqual(expect.arrayContaining(keys.slice(0, 2).map(({ pubkey }) => pubkey)))
    await Promise.all(keys.slice(0, 2).map(async (key) => expect((await harness.row(key)).exit_epoch).not.toBeNull()))
    expect(await harness.doubleSigners()).toEqual([])
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
