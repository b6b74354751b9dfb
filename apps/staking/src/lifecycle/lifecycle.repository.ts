import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { acquireLease, type Lease } from '@trestle/database/lease'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { Pool } from 'pg'
import type { Changed } from './holders.js'
import { PassTimes } from './pass-times.service.js'
import type { ChainFacts, Row, SignerFacts } from './row.js'
import { rowOf, type StoredRow } from './stored-row.js'

/** Which rows of a chain a pass looks at. */
export interface Due {
  readonly chain: string
  readonly afterSerial: number
  readonly limit: number
  /** Besides those where something is open, or that were not looked at for long. */
  readonly changed: Changed
}

export interface KeptKey {
  readonly pubkey: Buffer
  readonly keystore: string
  readonly sealedPassword: Buffer
}

type Changes = readonly { readonly row: Row; readonly facts: ChainFacts }[]

// One that was paid out and whose key is nowhere any more is not looked at again.
const DUE = `
  SELECT * FROM validator
  WHERE chain = $1 AND serial > $2 AND (released_at IS NULL OR withdrawn_at IS NULL) AND (
    $4 OR pubkey = ANY($7) OR observed_at IS NULL OR observed_at < $5
    OR released_at IS NULL AND (
      beacon_status IS DISTINCT FROM 'active_ongoing' OR exit_requested_at IS NOT NULL
      OR ready_at IS NULL OR signer_fee_address IS DISTINCT FROM fee_address OR signer_problem IS NOT NULL
      OR signer_checked_at IS NULL OR signer_checked_at < $6))
  ORDER BY serial LIMIT $3`

const SAVE_CHAIN = `
  UPDATE validator SET
    chain_index = new.chain_index, beacon_status = new.beacon_status, balance_gwei = new.balance_gwei,
    effective_balance_gwei = new.effective_balance_gwei, activation_epoch = new.activation_epoch, exit_epoch = new.exit_epoch,
    withdrawable_epoch = new.withdrawable_epoch, slashed = new.slashed, deposited_at = new.deposited_at, activated_at = new.activated_at,
    exiting_at = new.exiting_at, exited_at = new.exited_at, withdrawn_at = new.withdrawn_at, spoiled_at = new.spoiled_at, observed_at = $2
  FROM jsonb_to_recordset($1) AS new (
    serial int, chain_index int, beacon_status text, balance_gwei bigint, effective_balance_gwei bigint, activation_epoch bigint,
    exit_epoch bigint, withdrawable_epoch bigint, slashed boolean, deposited_at timestamptz, activated_at timestamptz,
    exiting_at timestamptz, exited_at timestamptz, withdrawn_at timestamptz, spoiled_at timestamptz)
  WHERE validator.serial = new.serial`

const SAVE_SIGNER = `
  UPDATE validator SET imported_at = $2, ready_at = $3, signer_fee_address = $4, signer_checked_at = $5, signer_problem = $6
  WHERE serial = $1`

const RELEASE = 'UPDATE validator SET released_at = coalesce(released_at, $2), ready_at = NULL, signer_problem = NULL WHERE serial = $1'

const KEEP_HISTORY = 'INSERT INTO signing_history (pubkey, region, taken_at, interchange) VALUES ($1, $2, $3, $4)'

// Whatever is kept first stays: there is one exit of a validator.
const KEEP_EXIT = `
  INSERT INTO signed_exit (pubkey, epoch, validator_index, signature, signed_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (pubkey) DO NOTHING`

/** What the reconciler reads and writes. */
@Injectable()
export class LifecycleRepository {
  constructor(
    private readonly pool: Pool,
    private readonly times: PassTimes,
  ) {}

  /** Waits for the right to be the only one who reconciles. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: 'lifecycle', holder: `${hostname()} ${process.pid}` }, signal)
  }

  async listDue({ chain, afterSerial, limit, changed }: Due): Promise<Row[]> {
    const [everything, keys] = changed === 'everything' ? [true, []] : [false, changed]
    const values = [chain, afterSerial, limit, everything, this.times.observedBefore(), this.times.checkedBefore(), keys]
    const { rows } = await this.pool.query<StoredRow>(DUE, values)
    return rows.map(rowOf)
  }

  saveChain(lease: Lease, changes: Changes, observedAt: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_CHAIN, [JSON.stringify(changes.map(({ row, facts }) => columnsOf(row, facts))), observedAt])
    })
  }

  saveSigner(lease: Lease, { serial }: Row, facts: SignerFacts): Promise<void> {
    const { importedAt, readyAt, feeAddress, checkedAt, problem } = facts
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_SIGNER, [serial, importedAt, readyAt, feeAddress, checkedAt, problem])
    })
  }

  /** What it cannot do, and nothing else: what is known of the signer may be newer than the row. */
  saveProblem(lease: Lease, { serial }: Row, problem: string): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE validator SET signer_problem = $2 WHERE serial = $1', [serial, problem])
    })
  }

  /** Together: a key is released with what it had signed, or not at all. */
  release(lease: Lease, { serial, pubkey, region }: Row, interchange: string, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(KEEP_HISTORY, [pubkey, region, now, interchange])
      await client.query(RELEASE, [serial, now])
    })
  }

  /** As it is wanted now: it may have been changed since the row was read. */
  async feeAddress({ serial }: Row): Promise<Buffer> {
    const { rows } = await this.pool.query<{ fee_address: Buffer }>('SELECT fee_address FROM validator WHERE serial = $1', [serial])
    if (!rows[0]) throw new Error('The validator is gone, which cannot be.')
    return rows[0].fee_address
  }

  async key(pubkey: Buffer): Promise<KeptKey> {
    const columns = 'pubkey, keystore, sealed_password AS "sealedPassword"'
    const { rows } = await this.pool.query<KeptKey>(`SELECT ${columns} FROM validator_key WHERE pubkey = $1`, [pubkey])
    if (!rows[0]) throw new Error('No keystore is kept of this validator.')
    return rows[0]
  }

  async histories(pubkey: Buffer): Promise<string[]> {
    const text = 'SELECT interchange FROM signing_history WHERE pubkey = $1 ORDER BY serial'
    const { rows } = await this.pool.query<{ interchange: string }>(text, [pubkey])
    return rows.map(({ interchange }) => interchange)
  }

  async exit(pubkey: Buffer): Promise<SignedVoluntaryExit | undefined> {
    const text = 'SELECT epoch, validator_index, signature FROM signed_exit WHERE pubkey = $1'
    const { rows } = await this.pool.query<{ epoch: string; validator_index: string; signature: Buffer }>(text, [pubkey])
    const [exit] = rows
    return exit && { message: { epoch: BigInt(exit.epoch), validatorIndex: BigInt(exit.validator_index) }, signature: exit.signature }
  }

  /** Keeps an exit before it is first sent. */
  keepExit(lease: Lease, pubkey: Buffer, { message, signature }: SignedVoluntaryExit, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(KEEP_EXIT, [pubkey, message.epoch, message.validatorIndex, signature, now])
    })
  }

  markSent(lease: Lease, pubkey: Buffer, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE signed_exit SET sent_at = $2 WHERE pubkey = $1 AND sent_at IS NULL', [pubkey, now])
    })
  }
}

function columnsOf({ serial }: Row, facts: ChainFacts): object {
  return {
    serial,
    chain_index: facts.index,
    beacon_status: facts.status,
    balance_gwei: String(facts.balanceGwei),
    effective_balance_gwei: String(facts.effectiveBalanceGwei),
    activation_epoch: facts.activationEpoch,
    exit_epoch: facts.exitEpoch,
    withdrawable_epoch: facts.withdrawableEpoch,
    slashed: facts.slashed,
    deposited_at: facts.depositedAt,
    activated_at: facts.activatedAt,
    exiting_at: facts.exitingAt,
    exited_at: facts.exitedAt,
    withdrawn_at: facts.withdrawnAt,
    spoiled_at: facts.spoiledAt,
  }
}
