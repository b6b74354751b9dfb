import { timingSafeEqual } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { invalidClient, type LiveClient } from './client-key.js'
import { hashSecret, isClientSecret } from './client-secret.js'
import { KeyUse } from './key-use.engine.js'
import { LiveClientsRepository, type StoredClient } from './live-clients.repository.js'

const DUMMY_HASH = Buffer.alloc(32)

interface ClientSecret {
  readonly clientId: string
  readonly clientSecret: string
}

/** Authenticates clients by their keys and tokens; `network` is where the request came from. */
@Injectable()
export class ClientAuthenticationService {
  constructor(
    private readonly clients: LiveClientsRepository,
    private readonly use: KeyUse,
    private readonly clock: Clock,
  ) {}

  /** The client with this id and secret; Problem `InvalidClient`, the same whatever is wrong. */
  async authenticate({ clientId, clientSecret }: ClientSecret, network: string): Promise<LiveClient> {
    const hash = hashSecret(clientSecret)
    // A text that cannot be a secret is refused without a query.
    const client = isClientSecret(clientSecret) ? await this.findLive(clientId) : undefined
    const former = client?.formerSecretUntil && client.formerSecretUntil > this.clock.now() ? client.formerSecretHash : undefined
    const isRight = timingSafeEqual(client?.secretHash ?? DUMMY_HASH, hash) || timingSafeEqual(former ?? DUMMY_HASH, hash)
    if (!client || !isRight) throw invalidClient()
    this.use.note(client, network)
    return client
  }

  /** The client of a verified token. */
  async find(clientId: string, network: string): Promise<LiveClient | undefined> {
    const client = await this.findLive(clientId)
    if (client) this.use.note(client, network)
    return client
  }

  private async findLive(clientId: string): Promise<StoredClient | undefined> {
    const client = await this.clients.find(clientId)
    return client?.expiresAt && client.expiresAt <= this.clock.now() ? undefined : client
  }
}
