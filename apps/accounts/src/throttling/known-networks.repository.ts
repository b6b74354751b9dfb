import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

@Injectable()
export class KnownNetworksRepository {
  constructor(private readonly pool: Pool) {}

  async isKnown(key: Buffer, since: Date): Promise<boolean> {
    const { rowCount } = await this.pool.query('SELECT 1 FROM known_network WHERE key = $1 AND last_seen_at >= $2', [key, since])
    return rowCount === 1
  }

  async remember(key: Buffer, now: Date): Promise<void> {
    await this.pool.query('INSERT INTO known_network VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET last_seen_at = $2', [key, now])
  }
}
