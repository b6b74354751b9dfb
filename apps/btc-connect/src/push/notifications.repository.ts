import { Inject, Injectable } from '@nestjs/common'
import { Client } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'

const RETRY_MS = 1000

/** The word that the writer has committed something (NOTIFY), on a connection of its own. Nothing may depend on its coming. */
@Injectable()
export class NotificationsRepository {
  constructor(@Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'DATABASE_URL' | 'DEPLOYMENT'>) {}

  /** Calls each time until the signal says so; connects again by itself. */
  listen(wake: () => void, signal: AbortSignal): void {
    const { DATABASE_URL, DEPLOYMENT } = this.env
    const client = new Client({ connectionString: DATABASE_URL, application_name: `${DEPLOYMENT} events`, keepAlive: true })
    const end = () => void client.end().catch(() => {})
    signal.addEventListener('abort', end, { once: true })
    // What was told while nobody listened is asked for once the connection stands.
    client.on('notification', wake)
    client.on('error', () => {})
    client.once('end', () => {
      signal.removeEventListener('abort', end)
      if (!signal.aborted) setTimeout(() => this.listen(wake, signal), RETRY_MS).unref()
    })
    client
      .connect()
      .then(() => client.query('LISTEN tip; LISTEN mempool'))
      .then(wake, end)
  }
}
