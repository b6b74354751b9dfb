import { Inject, Injectable } from '@nestjs/common'
import { Client } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'

const RETRY_MS = 1000

/** Listens for the notifications (NOTIFY) of the writer, on a connection of its own. They may be lost: nothing may depend on them. */
@Injectable()
export class NotificationsRepository {
  constructor(@Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'DATABASE_URL' | 'DEPLOYMENT'>) {}

  /** Calls `wake` for each notification until the signal aborts; reconnects when the connection is lost. */
  listen(wake: () => void, signal: AbortSignal): void {
    const { DATABASE_URL, DEPLOYMENT } = this.env
    const client = new Client({ connectionString: DATABASE_URL, application_name: `${DEPLOYMENT} events`, keepAlive: true })
    const end = () => void client.end().catch(() => {})
    signal.addEventListener('abort', end, { once: true })
    // Notifications in between are lost, so it also calls once the connection is established.
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
