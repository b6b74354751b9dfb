import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

interface Orphan {
  readonly id: string
  /** It was not found before. */
  readonly isNew: boolean
  readonly ageMs: number
}

const RECORD = `
  INSERT INTO orphan (machine_id, first_seen_at)
  SELECT id, now() FROM unnest($1::text[]) AS id WHERE id NOT IN (SELECT id FROM workload_machine)
  ON CONFLICT (machine_id) DO UPDATE SET machine_id = excluded.machine_id
  RETURNING machine_id AS id, xmax = 0 AS "isNew", extract(epoch FROM now() - first_seen_at)::float8 * 1000 AS "ageMs"`

/** Machines that a driver has and no row accounts for. Set-based, so in SQL. */
@Injectable()
export class OrphansRepository {
  constructor(private readonly pool: Pool) {}

  /** Records which of these machines have no row; forgets the others. */
  async record(owned: readonly string[]): Promise<Orphan[]> {
    await this.pool.query('DELETE FROM orphan WHERE machine_id <> ALL($1) OR machine_id IN (SELECT id FROM workload_machine)', [owned])
    const { rows } = await this.pool.query<Orphan>(RECORD, [owned])
    return rows
  }
}
