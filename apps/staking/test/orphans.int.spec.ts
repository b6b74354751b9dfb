import { formatHex } from '@trestle/ethereum/hex'
import type { GeneratedKey } from '../src/keys/key-generator.engine.js'
import { LedgerRepository } from '../src/rewards/ledger.repository.js'
import { epochsOf, runOf } from './bookkeeper.js'
import { ReconcilerHarness } from './reconciler-harness.js'

const SLOTS = 8
const COUNT = 12
const ORPHANS = 4

let harness: ReconcilerHarness
beforeAll(async () => {
  harness = await ReconcilerHarness.open()
}, 120_000)
afterAll(() => harness.close())

describe('blocks that the chain went on without', () => {
  it('are missed proposals, and nothing of them is booked, even at the border of epochs', async () => {
    const keys: GeneratedKey[] = []
    for (let i = 0; i < COUNT; i++) keys.push(await harness.create())
    await harness.pass()
    for (const { depositCall } of keys) await harness.deposit(depositCall)
    await harness.dev('advance', { epochs: 14 })
    await book()
    const orphans = await orphanOurs(keys.map(({ pubkey }) => formatHex(pubkey)))
    await harness.dev('advance', { epochs: 4 })
    await book()

    // The node serves them by slot, as Prysm does, and says that they are final.
    expect(await (await fetch(`${harness.beacon.url}/eth/v2/beacon/blocks/${orphans[0]}`)).json()).toMatchObject({
      execution_optimistic: true,
      finalized: true,
    })
    expect(await slotsIn('missed_proposal')).toEqual(expect.arrayContaining(orphans))
    const booked = await slotsIn('execution_reward')
    expect(booked.length).toBeGreaterThan(0)
    expect(booked.filter((slot) => orphans.includes(slot))).toEqual([])
    const { rows } = await harness.pool.query('SELECT rounding_gwei, unbroken_epochs FROM epoch_chunk')
    for (const row of rows) expect(row).toEqual({ rounding_gwei: null, unbroken_epochs: null })
  }, 300_000)
})

/** As long as the node has the states. */
async function book(): Promise<void> {
  const epochs = epochsOf(harness.chains, new LedgerRepository(harness.pool, harness.prisma))
  const run = await runOf(harness.pool, harness.chains)
  try {
    while (await epochs.bookNext(run));
  } finally {
    await run.lease.release()
  }
}

/** Orphans blocks of ours, the first in the first slot of an epoch. */
async function orphanOurs(pubkeys: readonly string[]): Promise<number[]> {
  const orphans: number[] = []
  for (let tries = 0; tries < 60 * SLOTS && orphans.length < ORPHANS; tries++) {
    const next = (await slot()) + 1
    const isBorder = next % SLOTS === 0
    if ((orphans.length > 0 || isBorder) && pubkeys.includes(await proposerOf(next))) {
      await harness.dev('orphan', {})
      orphans.push(next)
    }
    await harness.dev('advance', { slots: 1 })
    if (isBorder) await book()
  }
  expect(orphans).toHaveLength(ORPHANS)
  return orphans
}

async function slot(): Promise<number> {
  return ((await (await fetch(`${harness.beacon.url}/dev/status`)).json()) as { slot: number }).slot
}

async function proposerOf(at: number): Promise<string> {
  const answer = await fetch(`${harness.beacon.url}/eth/v1/validator/duties/proposer/${Math.floor(at / SLOTS)}`)
  const { data } = (await answer.json()) as { data: { slot: string; pubkey: string }[] }
  return data.find((duty) => duty.slot === String(at))?.pubkey ?? ''
}

async function slotsIn(table: string): Promise<number[]> {
  const { rows } = await harness.pool.query<{ slot: number }>(`SELECT slot FROM ${table} ORDER BY slot`)
  return rows.map((row) => row.slot)
}
