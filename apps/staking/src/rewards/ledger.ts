import { GWEI_PER_ETH } from '@trestle/ethereum/deposit'
import { type Duties, NO_DUTIES } from './duties.js'
import type { LedgerLine } from './epoch-booking.js'

/** The number of validators in a row of the ledger. */
export const CHUNK_SIZE = 1000

export function chunkNumberOf(serial: number): number {
  return Math.floor(serial / CHUNK_SIZE)
}

const NOT_ON_CHAIN = -1n

const LINES = [
  'withdrawalsGwei',
  'depositsGwei',
  'rewardsGwei',
  'penaltiesGwei',
  'roundingGwei',
  'unexplainedGwei',
  'unbrokenEpochs',
] as const
const BALANCES = ['chainIndex', 'openingGwei', 'closingGwei', 'effectiveEth', 'slashed'] as const
const DUTIES = ['attestations', 'missedAttestations', 'syncDuties', 'missedSyncDuties'] as const
const SUMS = [...LINES, 'activeEpochs', 'stakeEthEpochs', ...DUTIES] as const
export const LINE_COLUMNS = LINES
export const ACCOUNT_COLUMNS = [...BALANCES, ...SUMS] as const

export type AccountColumn = (typeof ACCOUNT_COLUMNS)[number]
export type Columns<K extends string> = Readonly<Record<K, BigInt64Array>>

/** A validator at the end of an epoch. */
export interface BalanceSnapshot {
  readonly index: number
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
  readonly slashed: boolean
}

export interface Booking {
  readonly serial: number
  readonly line: LedgerLine
  readonly closing: BalanceSnapshot
  /** Its stake in the epoch; 0 if it was not active. */
  readonly stakeGwei: bigint
  /** Undefined if no node reported them. */
  readonly duties: Duties | undefined
}

export interface LedgerMember {
  readonly serial: number
  readonly index: number
}

/** Up to 1,000 validators: their balances, the sums of the open day, and the lines of the epoch that is being booked. */
export class LedgerChunk {
  readonly lines = zeros(LINES)

  constructor(
    readonly number: number,
    readonly accounts: Columns<AccountColumn> = noAccounts(),
  ) {}

  book({ serial, line, closing, stakeGwei, duties = NO_DUTIES }: Booking): void {
    const at = serial % CHUNK_SIZE
    const { accounts } = this
    accounts.chainIndex[at] = BigInt(closing.index)
    accounts.closingGwei[at] = closing.balanceGwei
    accounts.effectiveEth[at] = closing.effectiveBalanceGwei / GWEI_PER_ETH
    accounts.slashed[at] = closing.slashed ? 1n : 0n
    for (const column of LINES) {
      const value = column === 'unbrokenEpochs' ? BigInt(line.isUnbroken) : line[column]
      this.lines[column][at] = value
      add(accounts[column], at, value)
    }
    if (stakeGwei > 0n) add(accounts.activeEpochs, at, 1n)
    add(accounts.stakeEthEpochs, at, stakeGwei / GWEI_PER_ETH)
    for (const column of DUTIES) add(accounts[column], at, BigInt(duties[column]))
  }

  clearLines(): void {
    for (const column of LINES) this.lines[column].fill(0n)
  }

  /** Begins a day with the closing balances of the last one. */
  beginDay(): void {
    this.accounts.openingGwei.set(this.accounts.closingGwei)
    for (const column of SUMS) this.accounts[column].fill(0n)
  }
}

/** The open day of a chain, in memory; 100,000 validators take 15 MB. */
export class Ledger {
  readonly chunks = new Map<number, LedgerChunk>()

  constructor(chunks: readonly LedgerChunk[] = []) {
    for (const chunk of chunks) this.chunks.set(chunk.number, chunk)
  }

  members(): LedgerMember[] {
    return [...this.chunks.values()].flatMap(({ number, accounts }) =>
      Array.from(accounts.chainIndex, (index, at) => ({ serial: number * CHUNK_SIZE + at, index: Number(index) })).filter(
        ({ index }) => index >= 0,
      ),
    )
  }

  /** The balance and effective balance at the end of the last booked epoch. */
  balanceOf(serial: number): { balanceGwei: bigint; effectiveBalanceGwei: bigint } {
    const { accounts } = this.chunkOf(serial)
    const at = serial % CHUNK_SIZE
    return {
      balanceGwei: accounts.closingGwei[at] ?? 0n,
      effectiveBalanceGwei: (accounts.effectiveEth[at] ?? 0n) * GWEI_PER_ETH,
    }
  }

  /** Sets the opening balance of a validator that was on the chain before the ledger followed it. */
  open(serial: number, openingGwei: bigint): void {
    this.chunkOf(serial).accounts.openingGwei[serial % CHUNK_SIZE] = openingGwei
  }

  book(bookings: readonly Booking[]): void {
    for (const chunk of this.chunks.values()) chunk.clearLines()
    for (const booking of bookings) this.chunkOf(booking.serial).book(booking)
  }

  beginDay(): void {
    for (const chunk of this.chunks.values()) chunk.beginDay()
  }

  private chunkOf(serial: number): LedgerChunk {
    const number = chunkNumberOf(serial)
    const chunk = this.chunks.get(number) ?? new LedgerChunk(number)
    this.chunks.set(number, chunk)
    return chunk
  }
}

function noAccounts(): Columns<AccountColumn> {
  const accounts = zeros(ACCOUNT_COLUMNS)
  accounts.chainIndex.fill(NOT_ON_CHAIN)
  return accounts
}

function zeros<K extends string>(names: readonly K[]): Columns<K> {
  return columnsOf(names, () => new BigInt64Array(CHUNK_SIZE))
}

export function columnsOf<K extends string>(names: readonly K[], valuesOf: (name: K) => BigInt64Array): Columns<K> {
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)])) as Record<K, BigInt64Array>
}

function add(column: BigInt64Array, at: number, value: bigint): void {
  column[at] = (column[at] ?? 0n) + value
}
