import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { arrayParameter, BinaryFields } from '@trestle/database/binary-fields'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Pool, type PoolClient } from 'pg'
import { StakingDatabase } from '../database.module.js'
import type { ProposerPayment } from './block-earnings.js'
import { DAY_DIFFERENCES, type DayDifference } from './day-check.js'
import { type Day, dayOf } from './days.js'
import {
  ACCOUNT_COLUMNS,
  type AccountColumn,
  CHUNK_SIZE,
  type Columns,
  columnsOf,
  type Ledger,
  LedgerChunk,
  LINE_COLUMNS,
} from './ledger.js'

export interface LedgerCursor {
  readonly nextEpoch: number
  /** The day in which that epoch begins. */
  readonly openDay: Day
  readonly epochMs: number
  readonly idealGwei: bigint | undefined
}

/** An epoch, and the cursor after it is booked. */
interface BookedEpoch {
  readonly chain: string
  readonly epoch: number
  readonly day: Day
  readonly next: LedgerCursor
  readonly stakeEthEpochs: bigint
  readonly rewards: readonly {
    readonly slot: number
    readonly serial: number
    readonly blockHash: Buffer
    readonly feeRecipient: Buffer
    readonly state: ProposerPayment
    readonly amountWei: bigint
  }[]
  /** Undefined if no node named the proposers. */
  readonly missedProposals: readonly { readonly slot: number; readonly serial: number }[] | undefined
  readonly unexplained: readonly { readonly serial: number; readonly gwei: bigint }[]
  readonly consolidated: readonly { readonly serial: number; readonly into: number }[]
  readonly unread: readonly { readonly slot: number; readonly root: Buffer }[]
  /** The roots of its checkpoint and of the next one. */
  readonly checkpoints: readonly [Buffer, Buffer]
}

/** Another process has booked this epoch. */
export class AlreadyBooked extends Error {
  override readonly name = 'AlreadyBooked'
}

const ADVANCE = `
  UPDATE reward_cursor SET next_epoch = $3, open_day = $4, ideal_reward_gwei = coalesce($5, ideal_reward_gwei)
  WHERE chain = $1 AND next_epoch = $2`

const CANDIDATES = `
  SELECT serial, pubkey, withdrawal_credentials FROM validator
  WHERE chain = $1 AND spoiled_at IS NULL AND serial <> ALL ($2::int[]) ORDER BY serial`

const ADD_REWARD = `
  INSERT INTO execution_reward (chain, slot, serial, epoch, day, block_hash, fee_recipient, state, amount_wei)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const CHAIN_DAY = `
  INSERT INTO chain_day AS known (chain, day, stake_eth_epochs, execution_rewards_wei, untold_epochs) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (chain, day) DO UPDATE SET stake_eth_epochs = known.stake_eth_epochs + excluded.stake_eth_epochs,
    execution_rewards_wei = known.execution_rewards_wei + excluded.execution_rewards_wei,
    untold_epochs = known.untold_epochs + excluded.untold_epochs`

const ADD_MISSED = 'INSERT INTO missed_proposal (chain, slot, serial, epoch, day) VALUES ($1, $2, $3, $4, $5)'

const ADD_UNEXPLAINED = 'UPDATE validator SET unexplained_gwei = unexplained_gwei + $2 WHERE serial = $1'

const SET_CONSOLIDATED = 'UPDATE validator SET consolidated_into = $2 WHERE serial = $1'
const ADD_UNREAD = 'INSERT INTO unread_block (chain, slot, root, epoch) VALUES ($1, $2, $3, $4)'

const ADD_CHECKPOINTS = `
  INSERT INTO booked_checkpoint (chain, epoch, root) VALUES ($1, $2, $3), ($1, $2 + 1, $4) ON CONFLICT (chain, epoch) DO NOTHING`

const ADD_EPOCH = `
  INSERT INTO epoch_chunk (chain, epoch, piece, day, ${LINE_COLUMNS.map(nameOf).join(', ')})
  VALUES ($1, $2, $3, $4, ${LINE_COLUMNS.map((_, i) => `$${i + 5}::int8[]`).join(', ')})`

const ACCOUNT_NAMES = ACCOUNT_COLUMNS.map(nameOf)
const SAVE_ACCOUNTS = `
  INSERT INTO day_so_far (chain, piece, ${ACCOUNT_NAMES.join(', ')})
  VALUES ($1, $2, ${ACCOUNT_NAMES.map((_, i) => `$${i + 3}::int8[]`).join(', ')})
  ON CONFLICT (chain, piece) DO UPDATE SET ${ACCOUNT_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}`

const DAY_COLUMNS = `serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei, rewards_gwei,
  penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei, attestations, missed_attestations,
  sync_duties, missed_sync_duties, unexplained_gwei`

// Before the cursor moves on.
const SEAL = `
  INSERT INTO validator_day (${DAY_COLUMNS})
  SELECT ${DAY_COLUMNS} FROM open_reward_day WHERE chain = $1 AND piece = $2`

const REMOVE_EPOCHS = `
  DELETE FROM epoch_chunk WHERE ctid IN (
    SELECT ctid FROM epoch_chunk WHERE chain = $1 AND day < $2 LIMIT 500 FOR UPDATE SKIP LOCKED)`

/** The ledger in Postgres. */
@Injectable()
export class LedgerRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: StakingDatabase,
  ) {}

  /** Waits for the lease of the only writer. */
  acquire(chain: string, signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: `rewards:${chain}`, holder: `${hostname()} ${process.pid}` }, signal)
  }

  async findCursor(chain: string): Promise<LedgerCursor | undefined> {
    const row = await this.database.rewardCursor.findUnique({ where: { chain } })
    if (!row) return undefined
    const { nextEpoch, openDay, epochMs, idealRewardGwei } = row
    return { nextEpoch, openDay: dayOf(openDay), epochMs, idealGwei: idealRewardGwei ?? undefined }
  }

  async create(chain: string, { nextEpoch, openDay, epochMs }: LedgerCursor): Promise<void> {
    const data = { chain, nextEpoch, openDay: new Date(openDay), epochMs }
    await this.database.rewardCursor.createMany({ data, skipDuplicates: true })
  }

  async listChunks(chain: string): Promise<LedgerChunk[]> {
    const { rows } = await this.pool.query<{ number: number }>('SELECT piece AS number FROM day_so_far WHERE chain = $1 ORDER BY 1', [
      chain,
    ])
    const chunks: LedgerChunk[] = []
    for (const { number } of rows) {
      const text = `SELECT ${ACCOUNT_NAMES.join(', ')} FROM day_so_far WHERE chain = $1 AND piece = $2`
      const result = await this.pool.query<Record<string, string[]>>({ name: 'get_chunk', text, values: [chain, number] })
      if (result.rows[0]) chunks.push(new LedgerChunk(number, toAccounts(result.rows[0])))
    }
    return chunks
  }

  /** The chain's validators except these. */
  async listCandidates(chain: string, serials: readonly number[]) {
    const { rows } = await this.pool.query<CandidateRow>(CANDIDATES, [chain, serials])
    return rows.map(({ serial, pubkey, withdrawal_credentials }) => ({ serial, pubkey, withdrawalCredentials: withdrawal_credentials }))
  }

  async findFirstCreated(chain: string): Promise<Date | undefined> {
    const { _min } = await this.database.validator.aggregate({ where: { chain }, _min: { createdAt: true } })
    return _min.createdAt ?? undefined
  }

  /** Every address that the owner has set, the current one first. */
  async listFeeAddresses(serial: number): Promise<Buffer[]> {
    const select = { feeAddress: true, pastFeeAddresses: { select: { feeAddress: true } } }
    const current = await this.database.validator.findUniqueOrThrow({ where: { serial }, select })
    return [current, ...current.pastFeeAddresses].map(({ feeAddress }) => Buffer.from(feeAddress))
  }

  /** Writes the epoch that the ledger has booked, or throws if it was written before. The last epoch of a day seals the day. */
  async book(lease: Lease, ledger: Ledger, booked: BookedEpoch): Promise<void> {
    await lease.transaction(this.pool, async (client) => {
      const { chain, epoch, day, next } = booked
      await writeLines(client, ledger, booked)
      await this.writeBlocks(client, booked)
      await this.writeAccounts(client, chain, ledger)
      if (next.openDay !== day) await this.seal(client, chain, ledger)
      for (const { serial, gwei } of booked.unexplained) await client.query(ADD_UNEXPLAINED, [serial, gwei])
      for (const { serial, into } of booked.consolidated) await client.query(SET_CONSOLIDATED, [serial, into])
      for (const { slot, root } of booked.unread) await client.query(ADD_UNREAD, [chain, slot, root, epoch])
      await client.query(ADD_CHECKPOINTS, [chain, epoch, ...booked.checkpoints])
      await this.advance(client, { chain, epoch, next })
    })
  }

  /** The root of the checkpoint at which an epoch that is booked begins or ends. */
  async findCheckpoint(chain: string, epoch: number): Promise<Buffer | undefined> {
    const row = await this.database.bookedCheckpoint.findUnique({ where: { chain_epoch: { chain, epoch } } })
    return row ? Buffer.from(row.root) : undefined
  }

  /** Moves the cursor past epochs without anything to book. */
  async skip(lease: Lease, move: { chain: string; epoch: number; next: LedgerCursor }): Promise<void> {
    await lease.transaction(this.pool, (client) => this.advance(client, move))
  }

  /** Of a sealed day whose epochs are still kept. */
  async listDifferences(chain: string, day: Day): Promise<DayDifference[]> {
    return (await this.pool.query<DayDifference>(DAY_DIFFERENCES, [chain, day])).rows
  }

  async removeEpochs(chain: string, before: Day): Promise<void> {
    while (((await this.pool.query(REMOVE_EPOCHS, [chain, before])).rowCount ?? 0) > 0);
  }

  private async advance(client: PoolClient, { chain, epoch, next }: { chain: string; epoch: number; next: LedgerCursor }): Promise<void> {
    const { rowCount } = await client.query(ADVANCE, [chain, epoch, next.nextEpoch, next.openDay, next.idealGwei])
    if (rowCount === 0) throw new AlreadyBooked(`Epoch ${epoch} of ${chain} is in the ledger already.`)
  }

  private async writeBlocks(client: PoolClient, booked: BookedEpoch): Promise<void> {
    const { chain, epoch, day, rewards, stakeEthEpochs, missedProposals } = booked
    for (const { slot, serial, blockHash, feeRecipient, state, amountWei } of rewards)
      await client.query(ADD_REWARD, [chain, slot, serial, epoch, day, blockHash, feeRecipient, state, amountWei])
    const paidWei = rewards.reduce((sum, { amountWei }) => sum + amountWei, 0n)
    for (const { slot, serial } of missedProposals ?? []) await client.query(ADD_MISSED, [chain, slot, serial, epoch, day])
    await client.query(CHAIN_DAY, [chain, day, stakeEthEpochs, paidWei, missedProposals ? 0 : 1])
  }

  private async writeAccounts(client: PoolClient, chain: string, ledger: Ledger): Promise<void> {
    for (const { number, accounts } of ledger.chunks.values()) {
      const values = [chain, number, ...ACCOUNT_COLUMNS.map((column) => arrayOf(accounts[column]))]
      await client.query({ name: 'write_accounts', text: SAVE_ACCOUNTS, values })
    }
  }

  private async seal(client: PoolClient, chain: string, ledger: Ledger): Promise<void> {
    for (const number of ledger.chunks.keys()) await client.query({ name: 'seal_day', text: SEAL, values: [chain, number] })
    ledger.beginDay()
    await this.writeAccounts(client, chain, ledger)
  }
}

async function writeLines(client: PoolClient, ledger: Ledger, { chain, epoch, day }: BookedEpoch): Promise<void> {
  for (const { number, lines } of ledger.chunks.values()) {
    const columns = LINE_COLUMNS.map((column) => (lines[column].some((value) => value !== 0n) ? arrayOf(lines[column]) : null))
    await client.query({ name: 'write_chunk', text: ADD_EPOCH, values: [chain, epoch, number, day, ...columns] })
  }
}

function arrayOf(values: BigInt64Array): Buffer {
  const fields = new BinaryFields()
  for (const value of values) fields.bigint(value)
  return arrayParameter('int8', fields)
}

/** `closingGwei` is the column `closing_gwei`. */
function nameOf(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function toAccounts(row: Record<string, string[]>): Columns<AccountColumn> {
  const accounts = columnsOf(ACCOUNT_COLUMNS, (column) =>
    BigInt64Array.from({ length: CHUNK_SIZE }, (_, at) => BigInt(row[nameOf(column)]?.[at] ?? 0)),
  )
  // The release before neither adds to it nor begins a day with none.
  const { unexplainedGwei, closingGwei, openingGwei, withdrawalsGwei, depositsGwei, rewardsGwei, penaltiesGwei, roundingGwei } = accounts
  const of = (column: BigInt64Array, at: number) => column[at] ?? 0n
  for (let at = 0; at < CHUNK_SIZE; at++) {
    const net = of(closingGwei, at) - of(openingGwei, at) + of(withdrawalsGwei, at) - of(depositsGwei, at)
    unexplainedGwei[at] = net - of(rewardsGwei, at) + of(penaltiesGwei, at) - of(roundingGwei, at)
  }
  return accounts
}

interface CandidateRow {
  readonly serial: number
  readonly pubkey: Buffer
  readonly withdrawal_credentials: Buffer
}
