import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

export interface Orphan {
  readonly id: string
  /** It was not there the last time. */
  readonly isNew: boolean
  readonly ageMs: number
}

const KEEP = `
  INSERT INTO orphan (machine_id, first_seen_at)
  SELECT id, now() FROM unnest($1::text[]) AS id WHERE id NOT IN (SELECT id FROM workload_machine)
  ON CONFLICT (machine_id) DO UPDATE SET machine_id = excluded.machine_id
  RETURNING machine_id AS id, xmax = 0 AS "isNew", extract(epoch FROM now() - first_seen_at)::float8 * 1000 AS "ageMs"`

/** What drivers have and nobody holds. */
@Injectable()
export class OrphansRepository {
  constructor(private readonly pool: Pool) {}

  /** Of these machines those that are nobody's; those that are gone or somebody's are forgotten. */
  async keep(owned: readonly string[]): Promise<Orphan[]> {
    await this.pool.query('DELETE FROM orphan WHERE machine_id <> ALL($1) OR machine_id IN (SELECT id FROM workload_machine)', [owned])
    const { rows } = await this.pool.query<Orphan>(KEEP, [owned])
    return rows
  }
}
