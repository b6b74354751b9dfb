import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type listRevocations, type Revocation, revocationRecorded, signingKeyCompromised } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { Logger } from '@trestle/runtime/logger'
import { type Observable, Subject } from 'rxjs'
import { AuthDataAge } from './auth-data-age.js'
import { revocationsUnknown } from './auth-problems.js'
import { type Claims, TOKEN_KINDS } from './claims.js'
import { PolledList } from './polled-list.engine.js'

// After the longest lifetime of a token, and five minutes of clock skew, a revocation has nothing left to revoke.
const KEPT_MS = (TOKEN_KINDS.account.lifetimeSeconds + 300) * 1000

/** Where revocations are read from, page by page. */
export abstract class RevocationSource {
  abstract list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>>
}

/** The epochs below which tokens are invalid: received over NATS within moments, and polled in case an event was missed. */
@Injectable()
export class Revocations implements OnApplicationBootstrap, OnModuleDestroy {
  /** Ordered by `receivedAt`, oldest first. */
  readonly #epochs = new Map<string, { epoch: number; receivedAt: number }>()
  readonly #compromisedKeys = new Set<string>()
  readonly #changes = new Subject<void>()
  readonly #list: PolledList

  constructor(
    private readonly source: RevocationSource,
    private readonly events: EventSubscriptions,
    logger: Logger,
    freshness: AuthDataAge,
  ) {
    this.#list = new PolledList('revocations', (request) => this.readPage(request), events, logger)
    freshness.watch('revocations', () => this.#list.polledAt)
  }

  /** Emits when tokens have become invalid: whoever keeps a caller for longer than a request authenticates it again. */
  get changes(): Observable<void> {
    return this.#changes
  }

  onApplicationBootstrap(): void {
    this.events.subscribe(revocationRecorded, (revocation) => this.record(revocation))
    this.events.subscribe(signingKeyCompromised, ({ kid }) => this.recordCompromise(kid))
    this.#list.start()
  }

  onModuleDestroy(): void {
    this.#list.stop()
  }

  /** Revoked at any level is revoked: a newer epoch at one level does not make up for an older one at another. Throws 503 before the first load. */
  isRevoked(claims: Claims): boolean {
    if (!this.#list.asOf) throw revocationsUnknown()
    if (this.isBelow('user', claims.sub, claims.ep)) return true
    if ('client_id' in claims) return this.isBelow('client', claims.client_id, claims.kep)
    // A session has no epochs of its own: its tokens have epoch 0, and ending it makes it 1.
    return this.isBelow('session', claims.sid, 0)
  }

  /** Whether a user was signed out everywhere, or disabled, since they had this epoch. */
  isUserBelow(userId: string, epoch: number): boolean {
    if (!this.#list.asOf) throw revocationsUnknown()
    return this.isBelow('user', userId, epoch)
  }

  /** An epoch only ever rises, in whatever order revocations arrive. */
  record({ kind, id, epoch }: Revocation): void {
    const key = `${kind}:${id}`
    if ((this.#epochs.get(key)?.epoch ?? -1) >= epoch) return
    this.#epochs.delete(key)
    this.#epochs.set(key, { epoch, receivedAt: performance.now() })
    this.#changes.next()
  }

  /** For as long as this process runs: a key that was published once may be again, by a replica that does not know yet. */
  recordCompromise(kid: string): void {
    if (this.#compromisedKeys.has(kid)) return
    this.#compromisedKeys.add(kid)
    this.#changes.next()
  }

  isCompromised(kid: string): boolean {
    return this.#compromisedKeys.has(kid)
  }

  /** Reads what is new. */
  poll(): Promise<void> {
    return this.#list.poll()
  }

  private async readPage(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    const page = await this.source.list(request)
    for (const revocation of page.revocations) this.record(revocation)
    for (const kid of page.compromisedKeys ?? []) this.recordCompromise(kid)
    this.deleteOlderThan(performance.now() - KEPT_MS)
    return page
  }

  private isBelow(kind: Revocation['kind'], id: string, epoch: number): boolean {
    const current = this.#epochs.get(`${kind}:${id}`)
    return current !== undefined && epoch < current.epoch
  }

  private deleteOlderThan(before: number): void {
    for (const [key, { receivedAt }] of this.#epochs) {
      if (receivedAt >= before) return
      this.#epochs.delete(key)
    }
  }
}
