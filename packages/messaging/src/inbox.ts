import { Injectable, Optional } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { Pool, type PoolClient } from 'pg'

/** Records which messages each consumer has processed, in the same transaction as their effect. */
@Injectable()
export class Inbox {
  constructor(@Optional() private readonly pool?: Pool) {}

  /** Does the work of a message unless it was done before. Of two at once, the second waits for the first to commit. */
  async once(consumer: string, messageId: string, work: (client: PoolClient) => Promise<void>): Promise<void> {
    if (!this.pool) throw new Error(`The consumer ${consumer} needs a database for its inbox.`)
    await transaction(this.pool, async (client) => {
      const { rowCount } = await client.query('INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        consumer,
        messageId,
      ])
      if (rowCount === 1) await work(client)
    })
  }
}
