import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { Day } from '../rewards/days.js'

/** What a user or an organization is called on bills. */
export interface BillingName {
  readonly id: string
  readonly name: string
  /** Empty for organizations. */
  readonly email: string
}

const SAVE = `
  INSERT INTO billing_name (subject_id, name, email, from_day)
  SELECT new.id, new.name, new.email, greatest(first_open_day($2), last.from_day)
    FROM jsonb_to_recordset($1) AS new (id text, name text, email text)
    LEFT JOIN LATERAL (SELECT * FROM billing_name WHERE subject_id = new.id ORDER BY billing_name.id DESC LIMIT 1) AS last ON true
   WHERE (last.name, last.email) IS DISTINCT FROM (new.name, new.email)`

// The last one of the day, or else the first one after it.
const LIST = `
  SELECT DISTINCT ON (subject_id) subject_id AS id, name, email FROM billing_name WHERE subject_id = ANY ($1)
   ORDER BY subject_id, from_day <= $2 DESC, CASE WHEN from_day <= $2 THEN id END DESC, id`

const CREATORS = 'SELECT DISTINCT user_id AS id FROM validator WHERE user_id > $1 ORDER BY 1 LIMIT $2'
const ORGANIZATIONS = `
  SELECT id FROM (SELECT billed_id AS id FROM billing_account UNION SELECT organization_id FROM membership) AS billed
   WHERE id > $1 ORDER BY 1 LIMIT $2`

@Injectable()
export class BillingNamesRepository {
  constructor(private readonly pool: Pool) {}

  /** Adds those that have changed: from today, or the first day that is not sealed. */
  async save(names: readonly BillingName[], today: Day): Promise<void> {
    await this.pool.query(SAVE, [JSON.stringify(names), today])
  }

  /** As they were called at the end of a day. */
  async list(ids: readonly string[], day: Day): Promise<Map<string, BillingName>> {
    const { rows } = await this.pool.query<BillingName>(LIST, [ids, day])
    return new Map(rows.map((name) => [name.id, name]))
  }

  /** Who has created a validator, by id. */
  listCreators(after: string, limit: number): Promise<string[]> {
    return this.listIds(CREATORS, after, limit)
  }

  /** The shared organizations, by id. */
  listOrganizations(after: string, limit: number): Promise<string[]> {
    return this.listIds(ORGANIZATIONS, after, limit)
  }

  private async listIds(text: string, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(text, [after, limit])
    return rows.map(({ id }) => id)
  }
}
