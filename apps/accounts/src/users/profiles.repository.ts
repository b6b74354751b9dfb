import { Injectable } from '@nestjs/common'
import type { UserProfile } from '@trestle/contracts/accounts/users'
import { batchLookups } from '@trestle/database/batching'
import { Pool } from 'pg'

interface Row {
  id: string
  email: string
  display_name: string
  entity_type: UserProfile['entityType']
  billing_address: UserProfile['billingAddress']
  verified_at: Date
  created_at: Date
  updated_at: Date
}

const FIND = {
  name: 'find_profiles',
  text: `SELECT id, email, display_name, entity_type, billing_address, verified_at, created_at, updated_at
           FROM "user" WHERE id = ANY($1) AND verified_at IS NOT NULL`,
}

/** The most frequent read of this service: prepared SQL on the pool, one query for all requests of a moment. */
@Injectable()
export class ProfilesRepository {
  constructor(private readonly pool: Pool) {}

  readonly find = batchLookups<string, UserProfile>(async (ids) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [ids] })
    return new Map(rows.map((row) => [row.id, toProfile(row)]))
  })
}

function toProfile(row: Row): UserProfile {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    entityType: row.entity_type,
    verifiedAt: row.verified_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    billingAddress: row.billing_address,
  }
}
