import { Injectable, type OnModuleInit } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { LiveClientsRepository, type StoredClient } from './live-clients.repository.js'

const RESOLUTION_MS = 60_000
const FLUSH_MS = 1_000

/** Records when keys were last used, and from which network: in batches, and for each key at most once a minute. */
@Injectable()
export class KeyUse implements OnModuleInit {
  readonly #used = new Map<string, string>()

  constructor(
    private readonly clients: LiveClientsRepository,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onModuleInit(): void {
    void this.jobs.every(FLUSH_MS, 'write the last use of client keys', () => this.flush())
    this.lifecycle.onFlush(() => this.flush())
  }

  note({ clientId, lastUsedAt }: StoredClient, network: string): void {
    if (!lastUsedAt || this.clock.now().getTime() - lastUsedAt.getTime() >= RESOLUTION_MS) this.#used.set(clientId, network)
  }

  async flush(): Promise<void> {
    const uses = new Map(this.#used)
    this.#used.clear()
    if (uses.size > 0) await this.clients.updateLastUsed(uses, this.clock.now())
  }
}
