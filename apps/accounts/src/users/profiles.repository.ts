import { Injectable } from '@nestjs/common'
import { BillingAddress, EntityType, type UserProfile } from '@trestle/contracts/accounts/users'
import { batchLookups } from '@trestle/database/batching'
import { selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { User as UserRow } from '../generated/prisma/client.js'

const FIELDS = ['id', 'email', 'displayName', 'entityType', 'billingAddress', 'verifiedAt', 'createdAt', 'updatedAt'] as const
type Row = Pick<UserRow, (typeof FIELDS)[number]> & { verifiedAt: Date }

const FIND = {
  name: 'find_profiles',
  text: `SELECT ${selectList(FIELDS)} FROM "user" WHERE id = ANY($1) AND verified_at IS NOT NULL`,
}

/** The most frequent read of this service: prepared SQL on the pool, one query for the requests of one event-loop turn. */
@Injectable()
export class ProfilesRepository {
  constructor(private readonly pool: Pool) {}

  readonly find = batchLookups<string, UserProfile>(async (ids) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [ids] })
    return new Map(rows.map((row) => [row.id, fromRow(row)]))
  })
}

function fromRow({ entityType, billingAddress, verifiedAt, createdAt, updatedAt, ...row }: Row): UserProfile {
  return {
    ...row,
    entityType: EntityType.parse(entityType),
    verifiedAt: verifiedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    billingAddress: BillingAddress.parse(billingAddress),
  }
}
