import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

/** A validator a report is about. */
export interface ReportedValidator {
  readonly serial: number
  readonly chain: string
  readonly pubkey: string
  readonly createdAt: Date
}

const USERS = 'SELECT DISTINCT user_id FROM validator WHERE user_id = ANY ($1) AND created_at < $2'
// Those that were taken out of a list have earned all the same.
const CREATED = `
  SELECT serial, chain, pubkey, created_at FROM validator WHERE user_id = $1 AND created_at < $2 ORDER BY chain, serial`
@Injectable()
export class ReportsRepository {
  constructor(private readonly pool: Pool) {}

  /** Those of these users who had a validator before this time. */
  async listUsers(userIds: readonly string[], before: Date): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ user_id: string }>(USERS, [userIds, before])
    return new Set(rows.map(({ user_id }) => user_id))
  }

  /** What a user had created before this time, by chain and age. */
  async listCreated(userId: string, before: Date): Promise<ReportedValidator[]> {
    const { rows } = await this.pool.query<Row>(CREATED, [userId, before])
    return rows.map(({ created_at, pubkey, ...row }) => ({ ...row, pubkey: pubkey.toString('hex'), createdAt: created_at }))
  }
}

interface Row {
  readonly serial: number
  readonly chain: string
  readonly pubkey: Buffer
  readonly created_at: Date
}
