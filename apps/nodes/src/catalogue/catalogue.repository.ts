import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

/** What administrators will have no more of. */
@Injectable()
export class CatalogueRepository {
  constructor(private readonly pool: Pool) {}

  async disabled(): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>('SELECT id FROM disabled_service')
    return new Set(rows.map(({ id }) => id))
  }

  async disable(id: string): Promise<void> {
    await this.pool.query('INSERT INTO disabled_service (id) VALUES ($1) ON CONFLICT DO NOTHING', [id])
  }

  async enable(id: string): Promise<void> {
    await this.pool.query('DELETE FROM disabled_service WHERE id = $1', [id])
  }
}
