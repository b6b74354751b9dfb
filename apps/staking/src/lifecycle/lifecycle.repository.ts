import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { acquireLease, type Lease } from '@trestle/database/lease'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { Pool } from 'pg'
import { StakingDatabase } from '../database.module.js'
import type { SealedKey } from '../keys/key-sealer.js'
import type { ChangedKeys } from './key-holders.js'
import { PassTimesService } from './pass-times.service.js'
import { recordOf, type StoredValidator } from './stored-validator.js'
import type { ChainState, SignerState, Silence, ValidatorRecord } from './validator-record.js'

/** Which validators of a chain are due. */
interface Due {
  readonly chain: string
  readonly afterSerial: number
  readonly limit: number
  /** In addition to those with something to do, and those not checked for long. */
  readonly changed: ChangedKeys
}

type Changes = readonly { readonly record: ValidatorRecord; readonly state: ChainState }[]

// The columns of a row, by their names in schema.prisma.
const CHAIN_TYPES = {
  chainIndex: 'int',
  beaconStatus: 'text',
  balanceGwei: 'bigint',
  effectiveBalanceGwei: 'bigint',
  activationEpoch: 'bigint',
  exitEpoch: 'bigint',
  withdrawableEpoch: 'bigint',
  slashed: 'boolean',
  depositedAt: 'timestamptz',
  activatedAt: 'timestamptz',
  exitingAt: 'timestamptz',
  exitedAt: 'timestamptz',
  withdrawnAt: 'timestamptz',
  compromisedAt: 'timestamptz',
} satisfies Partial<Record<keyof StoredValidator, string>>
const CHAIN_FIELDS = Object.keys(CHAIN_TYPES)
const FIELDS = [
  ...[
    'serial',
    'pubkey',
    'region',
    'withdrawalCredentials',
    'feeAddress',
    'createdAt',
    'exitRequestedAt',
    'removedAt',
    'restorableUntil',
    'importedAt',
    'readyAt',
  ],
  ...['signerFeeAddress', 'signerCheckedAt', 'releasedAt', 'signerProblem', 'observedAt', ...CHAIN_FIELDS],
  ...['signerIdentity', 'listedAt', 'lostAt', 'silentFrom', 'silentTo', 'recoveryAllowedAt', 'missedEpochs', 'exitProblem'],
]

// A validator that is withdrawn and whose key is released needs nothing more.
const DUE = `
  SELECT ${FIELDS.map((field) => `${columnOf(field)} AS "${field}"`).join(', ')} FROM validator
  WHERE chain = $1 AND serial > $2 AND (released_at IS NULL OR withdrawn_at IS NULL) AND (
    $4 OR pubkey = ANY($7) OR observed_at IS NULL OR observed_at < $5
    OR released_at IS NULL AND (
      beacon_status IS DISTINCT FROM 'active_ongoing' OR exit_requested_at IS NOT NULL
      OR ready_at IS NULL OR signer_fee_address IS DISTINCT FROM fee_address OR signer_problem IS NOT NULL OR lost_at IS NOT NULL
      OR signer_checked_at IS NULL OR signer_checked_at < $6))
  ORDER BY serial LIMIT $3`

const SAVE_CHAIN = `
  UPDATE validator SET ${CHAIN_FIELDS.map((field) => `${columnOf(field)} = new."${field}"`).join(', ')}, observed_at = $2
  FROM jsonb_to_recordset($1) AS new (serial int, ${Object.entries(CHAIN_TYPES)
    .map(([field, type]) => `"${field}" ${type}`)
    .join(', ')})
  WHERE validator.serial = new.serial`

const SAVE_PROBLEM = `
  INSERT INTO chain_problem AS known (chain, reason) VALUES ($1, $2)
  ON CONFLICT (chain) DO UPDATE SET reason = excluded.reason WHERE known.reason IS DISTINCT FROM excluded.reason`

const SAVE_SIGNER = `
  UPDATE validator SET imported_at = $2, ready_at = $3, signer_fee_address = $4, signer_checked_at = $5, signer_problem = $6
  WHERE serial = $1`

// Nobody has the key any more.
const RELEASE = `
  UPDATE validator SET released_at = coalesce(released_at, $2), ready_at = NULL, signer_problem = NULL, signer_identity = NULL, listed_at = NULL,
    lost_at = NULL, silent_from = NULL, silent_to = NULL, recovery_allowed_at = NULL
  WHERE serial = $1`

// A released key may come back. What was allowed is used up.
const SAVE_IMPORT = `
  UPDATE validator SET imported_at = coalesce(imported_at, $2), signer_identity = $3, signer_problem = $4, released_at = NULL, ready_at = NULL,
    signer_fee_address = NULL, signer_checked_at = NULL, recovery_allowed_at = NULL
  WHERE serial = $1`

const SAVE_LISTED = `
  UPDATE validator SET listed_at = coalesce(listed_at, $2), signer_identity = coalesce($3, signer_identity), released_at = NULL, lost_at = NULL,
    silent_from = NULL, silent_to = NULL, recovery_allowed_at = NULL
  WHERE serial = $1`

const SAVE_SILENCE = `
  UPDATE validator SET silent_from = seen."from", silent_to = seen."to"
  FROM jsonb_to_recordset($1) AS seen (serial int, "from" bigint, "to" bigint) WHERE validator.serial = seen.serial`

const SAVE_HISTORY = 'INSERT INTO signing_history (pubkey, region, taken_at, interchange) VALUES ($1, $2, $3, $4)'

// The first one stays: a validator has one exit.
const SAVE_EXIT = `
  INSERT INTO signed_exit (pubkey, epoch, validator_index, signature, signed_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (pubkey) DO NOTHING`

const SAVE_MISSED = `
  UPDATE validator SET missed_epochs = seen."missedEpochs"
  FROM jsonb_to_recordset($1) AS seen (serial int, "missedEpochs" int) WHERE validator.serial = seen.serial`

/** The tables as the reconciler uses them. */
@Injectable()
export class LifecycleRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: StakingDatabase,
    private readonly times: PassTimesService,
  ) {}

  /** Waits for the lease of the only reconciler. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: 'lifecycle', holder: `${hostname()} ${process.pid}` }, signal)
  }

  async listDue({ chain, afterSerial, limit, changed }: Due): Promise<ValidatorRecord[]> {
    const [everything, keys] = changed === 'everything' ? [true, []] : [false, changed]
    const values = [chain, afterSerial, limit, everything, this.times.observedBefore(), this.times.checkedBefore(), keys]
    const { rows } = await this.pool.query<StoredValidator>(DUE, values)
    return rows.map(recordOf)
  }

  saveChain(lease: Lease, changes: Changes, observedAt: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_CHAIN, [JSON.stringify(changes.map(({ record, state }) => storedOf(record, state))), observedAt])
    })
  }

  saveChainProblem(lease: Lease, chain: string, problem: string | undefined): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_PROBLEM, [chain, problem])
    })
  }

  saveSigner(lease: Lease, { serial }: ValidatorRecord, facts: SignerState): Promise<void> {
    const { importedAt, readyAt, feeAddress, checkedAt, problem } = facts
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_SIGNER, [serial, importedAt, readyAt, feeAddress, checkedAt, problem])
    })
  }

  /** Before the key is sent to this signer: from then on that may have it. */
  saveImport(lease: Lease, { serial }: ValidatorRecord, identity: string, problem: string | undefined): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_IMPORT, [serial, this.times.now(), identity, problem])
    })
  }

  /** The signer of its region lists the key; `identity` if it is the one that the region is bound to. */
  saveListed(lease: Lease, { serial }: ValidatorRecord, identity: string | undefined): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_LISTED, [serial, this.times.now(), identity])
    })
  }

  saveLost(lease: Lease, { serial }: ValidatorRecord): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE validator SET lost_at = coalesce(lost_at, $2) WHERE serial = $1', [serial, this.times.now()])
    })
  }

  saveSilences(lease: Lease, silences: readonly { readonly serial: number; readonly silence?: Silence }[]): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_SILENCE, [JSON.stringify(silences.map(({ serial, silence }) => ({ serial, ...silence })))])
    })
  }

  saveMissed(lease: Lease, missed: readonly { readonly serial: number; readonly missedEpochs: number }[]): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_MISSED, [JSON.stringify(missed)])
    })
  }

  /** Only the problem: what is stored about the signer may be newer than the record. */
  saveProblem(lease: Lease, { serial }: ValidatorRecord, problem: string): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE validator SET signer_problem = $2 WHERE serial = $1', [serial, problem])
    })
  }

  /** In one transaction: a key is released with its slashing protection history, or not at all. */
  release(lease: Lease, { serial, pubkey, region }: ValidatorRecord, interchange: string, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_HISTORY, [pubkey, region, now, interchange])
      await client.query(RELEASE, [serial, now])
    })
  }

  /** The desired address now: it may have changed since the record was read. */
  async feeAddress({ serial }: ValidatorRecord): Promise<Buffer> {
    const { feeAddress } = await this.database.validator.findUniqueOrThrow({ where: { serial }, select: { feeAddress: true } })
    return Buffer.from(feeAddress)
  }

  async key(pubkey: Buffer): Promise<SealedKey> {
    const { keystore, sealedPassword } = await this.database.validatorKey.findUniqueOrThrow({ where: { pubkey: Uint8Array.from(pubkey) } })
    return { pubkey, keystore, sealedPassword: Buffer.from(sealedPassword) }
  }

  /** Every slashing protection history that a signer returned for the key, the oldest first. */
  async histories(pubkey: Buffer): Promise<string[]> {
    const where = { pubkey: Uint8Array.from(pubkey) }
    const rows = await this.database.signingHistory.findMany({ where, orderBy: { serial: 'asc' } })
    return rows.map(({ interchange }) => interchange)
  }

  async exit(pubkey: Buffer): Promise<SignedVoluntaryExit | undefined> {
    const exit = await this.database.signedExit.findUnique({ where: { pubkey: Uint8Array.from(pubkey) } })
    if (!exit) return undefined
    const { epoch, validatorIndex, signature } = exit
    return { message: { epoch, validatorIndex }, signature: Buffer.from(signature) }
  }

  saveExit(lease: Lease, pubkey: Buffer, { message, signature }: SignedVoluntaryExit, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_EXIT, [pubkey, message.epoch, message.validatorIndex, signature, now])
    })
  }

  saveExitProblem(lease: Lease, { serial }: ValidatorRecord, problem: string | undefined): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE validator SET exit_problem = $2 WHERE serial = $1', [serial, problem])
    })
  }

  markSent(lease: Lease, pubkey: Buffer, now: Date): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      await client.query('UPDATE signed_exit SET sent_at = $2 WHERE pubkey = $1 AND sent_at IS NULL', [pubkey, now])
    })
  }
}

function storedOf({ serial }: ValidatorRecord, { index, status, balanceGwei, effectiveBalanceGwei, ...facts }: ChainState): object {
  const balances = { balanceGwei: String(balanceGwei), effectiveBalanceGwei: String(effectiveBalanceGwei) }
  return { serial, chainIndex: index, beaconStatus: status, ...balances, ...facts }
}

function columnOf(field: string): string {
  return field === 'compromisedAt' ? 'spoiled_at' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
