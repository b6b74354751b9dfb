import { Injectable } from '@nestjs/common'
import type { Membership } from '@trestle/contracts/accounts/messages'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { transaction } from '@trestle/database/transaction'
import { Pool } from 'pg'
import type { Day } from '../rewards/days.js'
import type { OwnerChange } from './ownership-history.js'

const SAVE = `
  INSERT INTO membership AS known (user_id, organization_id, joined_at, version)
  SELECT DISTINCT ON (user_id, organization_id) user_id, organization_id, CASE WHEN is_member THEN changed_at END, version
    FROM jsonb_to_recordset($1) AS new (user_id text, organization_id text, is_member boolean, changed_at timestamptz, version bigint)
   ORDER BY user_id, organization_id, version DESC
  ON CONFLICT (user_id, organization_id) DO UPDATE SET version = excluded.version,
    joined_at = CASE WHEN excluded.joined_at IS NOT NULL THEN coalesce(known.joined_at, excluded.joined_at) END
  WHERE known.version < excluded.version`

// On the bill of the organization that the user joined first.
const BILL = `
  INSERT INTO billing_account (personal_id, billed_id, from_day)
  SELECT now.personal_id, now.billed_id, 
         CASE WHEN last.id IS NULL AND $3 THEN '0001-01-01' ELSE greatest(first_open_day($2), last.from_day) END
    FROM (SELECT 'org-' || substr(user_id, 6) AS personal_id,
                 (SELECT organization_id FROM membership AS joined
                   WHERE joined.user_id = changed.user_id AND joined_at IS NOT NULL ORDER BY joined_at, organization_id LIMIT 1) AS billed_id
            FROM unnest($1::text[]) AS changed (user_id)) AS now
    LEFT JOIN LATERAL (SELECT * FROM billing_account WHERE personal_id = now.personal_id ORDER BY id DESC LIMIT 1) AS last ON true
   WHERE last.billed_id IS DISTINCT FROM now.billed_id`

const BILLED_WITH = `
  SELECT personal_id, json_agg(json_build_object('owner', billed_id, 'from', from_day) ORDER BY id) AS changes
    FROM billing_account WHERE personal_id = $1 OR personal_id IN (SELECT personal_id FROM billing_account WHERE billed_id = $1) GROUP BY 1`

/** Which personal organizations are on the bills of shared ones. */
@Injectable()
export class BillingAccountsRepository {
  constructor(private readonly pool: Pool) {}

  /** Up to when memberships were read; undefined before the first time. */
  async readUpTo(): Promise<Date | undefined> {
    const { rows } = await this.pool.query<{ as_of: Date | null }>('SELECT as_of FROM membership_cursor')
    return rows[0]?.as_of ?? undefined
  }

  async saveReadUpTo(asOf: Date): Promise<void> {
    await this.pool.query('UPDATE membership_cursor SET as_of = $1', [asOf])
  }

  /** Those of the first reading count from the beginning, as in the release before; later ones from today, or the first day that is not sealed. */
  async save(memberships: readonly Membership[], { today, isFirstReading }: { today: Day; isFirstReading: boolean }): Promise<void> {
    const rows = memberships.map(({ userId, organizationId, permissions, changedAt, version }) => ({
      ...{ user_id: userId, organization_id: organizationId, is_member: permissions.length > 0, changed_at: changedAt, version },
    }))
    const users = [...new Set(memberships.map(({ userId }) => userId))]
    await transaction(this.pool, async (client) => {
      await client.query(ROW_LOCK, ['memberships'])
      await client.query(SAVE, [JSON.stringify(rows)])
      await client.query(BILL, [users, today, isFirstReading])
    })
  }

  /** The organization whose bill a personal one is on now. */
  async findBilled(personalId: string): Promise<string | undefined> {
    const text = 'SELECT billed_id FROM billing_account WHERE personal_id = $1 ORDER BY id DESC LIMIT 1'
    const { rows } = await this.pool.query<{ billed_id: string | null }>(text, [personalId])
    return rows[0]?.billed_id ?? undefined
  }

  /** The histories of all personal organizations that have ever been on this bill. */
  async listBilledWith(organizationId: string): Promise<Map<string, readonly OwnerChange[]>> {
    const { rows } = await this.pool.query<{ personal_id: string; changes: OwnerChange[] }>(BILLED_WITH, [organizationId])
    return new Map(rows.map(({ personal_id, changes }) => [personal_id, changes]))
  }
}
