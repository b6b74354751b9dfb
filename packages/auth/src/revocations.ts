import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type listRevocations, type Revocation, revocationRecorded } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { Logger } from '@trestle/runtime/logger'
import { AuthDataAge } from './auth-data-age.js'
import { revocationsUnknown } from './auth-problems.js'
import { type Claims, TOKEN_KINDS } from './claims.js'
import { type PeriodicTask, runPeriodically } from './periodic-task.js'

const POLL_MS = 15_000
const RETRY_MS = 1_000
// Commits are not in the order of their times: each poll looks this far back behind the last.
const OVERLAP_MS = 60_000
// After the longest life of a token, and five minutes for the clocks, a revocation has nothing left to revoke.
const KEPT_MS = (TOKEN_KINDS.account.lifetimeSeconds + 300) * 1000

/** Where revocations are read from, a page at a time. */
export abstract class RevocationSource {
  abstract list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>>
}

/** The epochs below which tokens are dead: told over NATS within moments, polled for whatever was not heard. */
@Injectable()
export class Revocations implements OnApplicationBootstrap, OnModuleDestroy {
  /** In the order of `heardAt`, oldest first. */
  readonly #epochs = new Map<string, { epoch: number; heardAt: number }>()
  #asOf: string | undefined
  #polledAt: number | undefined
  #failures = 0
  #polling: PeriodicTask | undefined

  constructor(
    private readonly source: RevocationSource,
    private readonly facts: EventSubscriptions,
    private readonly logger: Logger,
    freshness: AuthDataAge,
  ) {
    freshness.watch('revocations', () => this.#polledAt)
  }

  onApplicationBootstrap(): void {
    this.facts.subscribe(revocationRecorded, (revocation) => this.record(revocation))
    this.#polling = runPeriodically(
      () => this.poll(),
      () => this.pollDelay(),
    )
    this.facts.onConnected(() => this.#polling?.runNow())
  }

  onModuleDestroy(): void {
    this.#polling?.stop()
  }

  /** Dead at any level is dead: no level's newer epoch makes up for another's older one. Problem 503 before the first load. */
  isRevoked(claims: Claims): boolean {
    if (!this.#asOf) throw revocationsUnknown()
    if (this.isBelow('user', claims.sub, claims.ep)) return true
    if ('client_id' in claims) return this.isBelow('client', claims.client_id, claims.kep)
    // A session has no epochs of its own: its tokens are of epoch 0, and ending it is epoch 1.
    return this.isBelow('session', claims.sid, 0)
  }

  /** An epoch only ever rises, whatever the order in which it is heard of. */
  record({ kind, id, epoch }: Revocation): void {
    const key = `${kind}:${id}`
    if ((this.#epochs.get(key)?.epoch ?? -1) >= epoch) return
    this.#epochs.delete(key)
    this.#epochs.set(key, { epoch, heardAt: performance.now() })
  }

  /** Reads what is new; a failure leaves everything as it is. */
  async poll(): Promise<void> {
    try {
      const since = this.#asOf && new Date(Date.parse(this.#asOf) - OVERLAP_MS).toISOString()
      const first = await this.readPage({ since })
      for (let after = first.next; after; ) after = (await this.readPage({ since, after })).next
      this.#asOf = first.asOf
      this.#polledAt = performance.now()
      this.#failures = 0
      this.forget(performance.now() - KEPT_MS)
    } catch (error) {
      this.#failures++
      this.logger.warn({ err: error }, 'could not read the revocations')
    }
  }

  /** A poll that failed is made up for soon: when NATS comes back, accounts may be a moment later than this service. */
  private pollDelay(): number {
    if (!this.#asOf) return RETRY_MS
    return this.#failures === 0 ? POLL_MS : Math.min(RETRY_MS * 2 ** (this.#failures - 1), POLL_MS)
  }

  private async readPage(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    const page = await this.source.list(request)
    for (const revocation of page.revocations) this.record(revocation)
    return page
  }

  private isBelow(kind: Revocation['kind'], id: string, epoch: number): boolean {
    const current = this.#epochs.get(`${kind}:${id}`)
    return current !== undefined && epoch < current.epoch
  }

  private forget(before: number): void {
    for (const [key, { heardAt }] of this.#epochs) {
      if (heardAt >= before) return
      this.#epochs.delete(key)
    }
  }
}
