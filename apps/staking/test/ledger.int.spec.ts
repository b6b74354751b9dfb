import { formatHex } from '@trestle/ethereum/hex'
import { EarningsRepository } from '../src/rewards/earnings.repository.js'
import type { EpochsService, LedgerRun } from '../src/rewards/epochs.service.js'
import { LedgerRepository } from '../src/rewards/ledger.repository.js'
import { epochsOf, runOf } from './bookkeeper.js'
import { CREDENTIALS, ReconcilerHarness } from './reconciler-harness.js'

const SLOTS = 8
const ETH = 1_000_000_000n
const OWNER = formatHex(CREDENTIALS.subarray(12))
const COUNT = 4

let harness: ReconcilerHarness
let epochs: EpochsService
let run: LedgerRun

beforeAll(async () => {
  harness = await ReconcilerHarness.open()
  epochs = epochsOf(harness.chains, new LedgerRepository(harness.pool, harness.prisma), harness.metrics)
  run = await runOf(harness.pool, harness.chains)
}, 120_000)
afterAll(async () => {
  await run.lease.release()
  await harness.close()
})

describe('the ledger of a chain with the rules of Electra', () => {
  it('agrees with the chain, epoch by epoch and to the wei, through the whole life of validators', async () => {
    const keys = []
    for (let i = 0; i < COUNT; i++) keys.push(await harness.create())
    await harness.pass()
    for (const key of keys) await harness.deposit(key.depositCall)
    const [exiting, away, slashed, steady] = keys.map(({ pubkey }) => formatHex(pubkey))
    const seen = new Map<number, Record<string, bigint>>()
    const step = async (count: number) => {
      for (let i = 0; i < count; i++) {
        for (let slot = 0; slot < SLOTS; slot++) {
          await pay()
          await harness.dev('advance', { slots: 1 })
        }
        while (await epochs.bookNext(run));
        await look(seen, [exiting!, away!, slashed!, steady!])
      }
    }
    await step(12)
    await harness.dev('offline', { pubkeys: [away], offline: true })
    await harness.deposit(keys[3]!.depositCall)
    await step(3)
    await harness.dev('slash', { pubkey: slashed })
    await harness.set(keys[0]!, 'exit_requested_at', new Date())
    await harness.pass()
    await harness.pass()
    await step(26)

    await compareWithStates(seen, [exiting!, away!, slashed!, steady!])
    await compareWithExecution()
    expect(await alarmed()).toBe(0)
    const earned = await reported()
    expect(earned.get(1)).toMatchObject({ balanceWei: 0n })
    expect(earned.get(2)!.consensusPenaltiesWei).toBeGreaterThan(0n)
    expect(earned.get(3)).toMatchObject({ slashed: true })
    expect(earned.get(4)!.consensusRewardsWei).toBeGreaterThan(0n)
    await compareDuties()
  }, 300_000)
})

/** A transaction with a tip, so that a block is worth something to its proposer. */
async function pay(): Promise<void> {
  const [from, to] = await harness.anvil.rpc.call<string[]>('eth_accounts')
  const fees = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca07' }
  await harness.anvil.rpc.call('eth_sendTransaction', { from, to, value: '0x1', gas: '0x5208', ...fees })
}

/** The balances at the first slots of the epochs, as long as the node has them. */
async function look(seen: Map<number, Record<string, bigint>>, pubkeys: readonly string[]): Promise<void> {
  const cursor = await new LedgerRepository(harness.pool, harness.prisma).findCursor('dev')
  for (let epoch = 0; epoch <= (cursor?.nextEpoch ?? 0); epoch++) {
    if (seen.has(epoch)) continue
    const ids = pubkeys.map((pubkey) => `id=${pubkey}`).join('&')
    const rows = await ask<{ balance: string; validator: { pubkey: string } }[]>(`beacon/states/${epoch * SLOTS}/validators?${ids}`)
    seen.set(epoch, Object.fromEntries(rows.map(({ balance, validator }) => [validator.pubkey, BigInt(balance)])))
  }
}

async function compareWithStates(seen: Map<number, Record<string, bigint>>, pubkeys: readonly string[]): Promise<void> {
  const { rows: chunks } = await harness.pool.query('SELECT * FROM epoch_chunk ORDER BY epoch')
  expect(chunks.length).toBeGreaterThan(30)
  for (const chunk of chunks) {
    for (const [i, pubkey] of pubkeys.entries()) {
      const line = (name: string) => BigInt(chunk[name]?.[i + 1] ?? 0)
      const opening = seen.get(chunk.epoch)![pubkey] ?? 0n
      const closing = seen.get(chunk.epoch + 1)![pubkey] ?? 0n
      const earned = line('rewards_gwei') - line('penalties_gwei')
      expect({ epoch: chunk.epoch, closing }).toEqual({
        epoch: chunk.epoch,
        closing: opening - line('withdrawals_gwei') + line('deposits_gwei') + earned,
      })
    }
    expect(chunk.rounding_gwei).toBeNull()
    expect(chunk.unbroken_epochs).toBeNull()
  }
  const { rows } = await harness.pool.query('SELECT sum(deposits_gwei) AS deposits FROM reward_day')
  expect(BigInt(rows[0].deposits)).toBe(BigInt(COUNT + 1) * 32n * ETH)
}

/** Who was away missed everything from then on, and who was not missed nothing. */
async function compareDuties(): Promise<void> {
  const sums = `SELECT sum(attestations)::int AS attestations, sum(missed_attestations)::int AS missed, sum(active_epochs)::int AS epochs,
    sum(sync_duties)::int AS sync, sum(missed_sync_duties)::int AS missed_sync FROM open_reward_day WHERE serial = $1`
  const of = async (serial: number) => (await harness.pool.query(sums, [serial])).rows[0]
  const [away, steady] = [await of(2), await of(4)]
  // Of the first epoch there is nothing to be paid for yet; of the last it will be in the next.
  expect(steady).toMatchObject({ attestations: steady.epochs - 1, missed: 0, missed_sync: 0 })
  expect(away).toMatchObject({ attestations: away.epochs - 1 })
  expect(away.missed).toBeGreaterThan(20)
  expect(away.missed).toBeLessThan(away.attestations)
  const { rows } = await harness.pool.query('SELECT slot FROM missed_proposal ORDER BY slot')
  expect(rows.map(({ slot }) => slot)).toEqual(await emptySlotsOfOurs())
}

async function emptySlotsOfOurs(): Promise<number[]> {
  const [cursor, { rows }] = await Promise.all([
    new LedgerRepository(harness.pool, harness.prisma).findCursor('dev'),
    harness.pool.query<{ pubkey: string }>("SELECT '0x' || encode(pubkey, 'hex') AS pubkey FROM validator"),
  ])
  const ours = new Set(rows.map(({ pubkey }) => pubkey))
  const empty: number[] = []
  for (let epoch = 0; epoch <= cursor!.nextEpoch; epoch++) {
    for (const { pubkey, slot } of await ask<{ pubkey: string; slot: string }[]>(`validator/duties/proposer/${epoch}`)) {
      if (!ours.has(pubkey) || Number(slot) > cursor!.nextEpoch * SLOTS) continue
      if ((await fetch(`${harness.beacon.url}/eth/v1/beacon/headers/${slot}`)).status === 404) empty.push(Number(slot))
    }
  }
  return empty
}

/** All that the owner ever got, the execution chain says itself. */
async function compareWithExecution(): Promise<void> {
  const cursor = await new LedgerRepository(harness.pool, harness.prisma).findCursor('dev')
  const end = cursor!.nextEpoch * SLOTS
  const last = await payload(end, -1)
  const number = `0x${Number(last.block_number).toString(16)}`
  const balance = BigInt(await harness.anvil.rpc.call<string>('eth_getBalance', OWNER, number))
  // anvil's past state of a block has what was credited before the next one was made.
  const tooEarly = (await payload(end + 1, 1)).withdrawals.filter(({ address }) => address.toLowerCase() === OWNER)
  const paid = balance - tooEarly.reduce((sum, { amount }) => sum + BigInt(amount), 0n) * ETH
  const { rows } = await harness.pool.query('SELECT sum(withdrawals_gwei) AS gwei, sum(execution_rewards_wei) AS wei FROM reward_day')
  expect(BigInt(rows[0].gwei) * ETH + BigInt(rows[0].wei)).toBe(paid)
  expect(BigInt(rows[0].wei)).toBeGreaterThan(0n)
}

interface Payload {
  readonly block_number: string
  readonly withdrawals: readonly { readonly address: string; readonly amount: string }[]
}

/** Of the block of this slot, or of the first in this direction where it is empty. */
async function payload(slot: number, direction: 1 | -1): Promise<Payload> {
  for (let at = slot; ; at += direction) {
    const answer = await fetch(`${harness.beacon.url}/eth/v2/beacon/blocks/${at}`)
    if (answer.ok)
      return ((await answer.json()) as { data: { message: { body: { execution_payload: Payload } } } }).data.message.body.execution_payload
  }
}

async function reported() {
  const today = new Date()
  const day = (ms: number) => new Date(today.getTime() + ms).toISOString().slice(0, 10)
  const range = { from: day(-86_400_000), to: day(2 * 86_400_000) }
  return new EarningsRepository(harness.pool, harness.prisma).list([1, 2, 3, 4].map((serial) => ({ serial, ...range })))
}

async function alarmed(): Promise<number> {
  const { values } = await harness.metrics.registry.getSingleMetric('rewards_unexplained_total')!.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${harness.beacon.url}/eth/v1/${path}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return ((await answer.json()) as { data: T }).data
}
