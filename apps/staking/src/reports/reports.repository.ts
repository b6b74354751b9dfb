import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { OwnerChange } from '../ownership/ownership-history.js'
import type { Day } from '../rewards/days.js'

/** A validator in a report, and who has owned it. */
interface ReportedValidator {
  readonly serial: number
  readonly chain: string
  readonly pubkey: string
  readonly createdAt: Date
  readonly owners: readonly OwnerChange[]
}

const USERS = `
  SELECT DISTINCT user_id AS id FROM validator_ownership AS owned JOIN validator USING (serial)
   WHERE user_id > $3 AND from_day <= $2 AND (owned.organization_id = $1
     OR owned.organization_id IN (SELECT personal_id FROM billing_account WHERE billed_id = $1))
   ORDER BY 1 LIMIT $4`

const CREATED = `
  SELECT serial, chain, encode(pubkey, 'hex') AS pubkey, created_at AS "createdAt",
         (SELECT json_agg(json_build_object('owner', organization_id, 'from', from_day) ORDER BY id)
            FROM validator_ownership AS owned WHERE owned.serial = validator.serial) AS owners
    FROM validator WHERE user_id = $3 AND EXISTS (
      SELECT FROM validator_ownership AS owned
       WHERE owned.serial = validator.serial AND from_day <= $2 AND (owned.organization_id = $1
         OR EXISTS (SELECT FROM billing_account WHERE personal_id = owned.organization_id AND billed_id = $1)))
   ORDER BY chain, serial`

// Removed validators are included: they have earned too.
@Injectable()
export class ReportsRepository {
  constructor(private readonly pool: Pool) {}

  /** Who created what may be on the bill of an organization up to this day, by id. */
  async listCreators(organizationId: string, { to, after, limit }: { to: Day; after: string; limit: number }): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(USERS, [organizationId, to, after, limit])
    return rows.map(({ id }) => id)
  }

  /** What of it a user created, by chain and age. */
  async listCreated(organizationId: string, userId: string, to: Day): Promise<ReportedValidator[]> {
    return (await this.pool.query<ReportedValidator>(CREATED, [organizationId, to, userId])).rows
  }
}
