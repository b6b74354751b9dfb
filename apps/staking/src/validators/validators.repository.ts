import { Injectable } from '@nestjs/common'
import { validatorWanted } from '@trestle/contracts/staking/messages'
import { transaction } from '@trestle/database/transaction'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool, type PoolClient } from 'pg'
import { rowOf, type StoredRow } from '../lifecycle/stored-row.js'
import type { Validator } from './validator.js'

/** What one is made of. */
export interface Newcomer {
  readonly chain: string
  readonly userId: string
  readonly region: string
  readonly pubkey: Buffer
  readonly withdrawalCredentials: Buffer
  readonly feeAddress: Buffer
  readonly depositData: Buffer
  readonly createdAt: Date
  readonly keystore: string
  readonly sealedPassword: Buffer
  readonly request?: Request
}

/** A caller's Idempotency-Key, and what came with it. */
export interface Request {
  readonly key: string
  readonly hash: Buffer
}

export interface Ownership {
  readonly userId: string
  readonly chain: string
  readonly pubkey: string
}

type Stored = StoredRow & { chain: string; user_id: string; created_at: Date; deposit_data: Buffer; request_hash: Buffer | null }

const ADD = `
  INSERT INTO validator (chain, user_id, region, pubkey, withdrawal_credentials, fee_address, deposit_data, created_at, request_key, request_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (user_id, request_key) WHERE request_key IS NOT NULL DO NOTHING RETURNING *`

const OWNED = 'user_id = $1 AND chain = $2 AND pubkey = $3 AND removed_at IS NULL'

@Injectable()
export class ValidatorsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
  ) {}

  /** With its key, or not at all. Undefined where the request was carried out already. `admit` throws where the owner has enough. */
  async add(newcomer: Newcomer, admit: (owned: number) => void): Promise<Validator | undefined> {
    const added = await transaction(this.pool, async (client) => {
      admit(await countFor(client, newcomer.userId))
      const { chain, userId, region, pubkey, withdrawalCredentials, feeAddress, depositData, createdAt, request } = newcomer
      const values = [chain, userId, region, pubkey, withdrawalCredentials, feeAddress, depositData, createdAt, request?.key, request?.hash]
      const [row] = (await client.query<Stored>(ADD, values)).rows
      if (!row) return undefined
      const { keystore, sealedPassword } = newcomer
      await client.query('INSERT INTO validator_key (pubkey, keystore, sealed_password) VALUES ($1, $2, $3)', [
        pubkey,
        keystore,
        sealedPassword,
      ])
      return validatorOf(row)
    })
    if (added) this.tell(added)
    return added
  }

  async findRequest(userId: string, key: string): Promise<{ validator: Validator; hash: Buffer | null } | undefined> {
    const { rows } = await this.pool.query<Stored>('SELECT * FROM validator WHERE user_id = $1 AND request_key = $2', [userId, key])
    return rows[0] && { validator: validatorOf(rows[0]), hash: rows[0].request_hash }
  }

  /** Oldest first. */
  async list(userId: string, chain: string): Promise<Validator[]> {
    const text = 'SELECT * FROM validator WHERE user_id = $1 AND chain = $2 AND removed_at IS NULL ORDER BY serial'
    const { rows } = await this.pool.query<Stored>(text, [userId, chain])
    return rows.map(validatorOf)
  }

  async find({ userId, chain, pubkey }: Ownership): Promise<Validator | undefined> {
    const { rows } = await this.pool.query<Stored>(`SELECT * FROM validator WHERE ${OWNED}`, [userId, chain, Buffer.from(pubkey, 'hex')])
    return rows[0] && validatorOf(rows[0])
  }

  saveFeeAddress(validator: Validator, feeAddress: Buffer): Promise<void> {
    return this.save(validator, 'fee_address = $2', feeAddress)
  }

  /** To the one it had, unless it has a third by now; nobody knows which one the signer has. */
  async takeBackFeeAddress(validator: Validator, feeAddress: Buffer): Promise<void> {
    const text = 'UPDATE validator SET fee_address = $3, signer_fee_address = NULL WHERE serial = $1 AND fee_address = $2'
    await this.pool.query(text, [validator.serial, feeAddress, validator.feeAddress])
    this.tell(validator)
  }

  /** The first time counts. */
  requestExit(validator: Validator, now: Date): Promise<void> {
    return this.save(validator, 'exit_requested_at = coalesce(exit_requested_at, $2)', now)
  }

  remove(validator: Validator, now: Date): Promise<void> {
    return this.save(validator, 'removed_at = coalesce(removed_at, $2)', now)
  }

  private async save(validator: Validator, wish: string, value: Date | Buffer): Promise<void> {
    await this.pool.query(`UPDATE validator SET ${wish} WHERE serial = $1`, [validator.serial, value])
    this.tell(validator)
  }

  /** Whoever looks after validators need not wait for the next look. */
  private tell({ chainName }: Validator): void {
    this.broadcasts.publish(validatorWanted, { chain: chainName })
  }
}

/** Nobody else adds one of this owner's until the transaction ends. */
async function countFor(client: PoolClient, userId: string): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [userId])
  const text = 'SELECT count(*)::int AS count FROM validator WHERE user_id = $1 AND removed_at IS NULL'
  const { rows } = await client.query<{ count: number }>(text, [userId])
  return rows[0]?.count ?? 0
}

function validatorOf(row: Stored): Validator {
  const { chain, user_id, created_at, deposit_data } = row
  return { ...rowOf(row), chainName: chain, userId: user_id, createdAt: created_at, depositData: deposit_data }
}
