import { createPublicKey, type KeyObject } from 'node:crypto'
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'
import type { listKeys } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { Logger } from '@trestle/runtime/logger'
import { AuthDataAge } from './auth-data-age.js'
import { keysUnavailable } from './auth-problems.js'
import type { TokenKind } from './claims.js'
import { type PeriodicTask, runPeriodically } from './periodic-task.js'
import { Revocations } from './revocations.js'

const REFRESH_MS = 60_000
const RETRY_MS = 1_000
const REFETCH_MS = 5_000

/** Where the public keys come from: accounts reads its own, the other services request them from accounts. */
export abstract class KeySource {
  abstract fetch(): Promise<ReplyOf<typeof listKeys>>
}

/** The public keys of both kinds of tokens: the last set that was read, however old. */
@Injectable()
export class KeyStore implements OnApplicationBootstrap, OnModuleDestroy {
  #keys: Record<TokenKind, Map<string, KeyObject>> | undefined
  #fetchedAt: number | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #refreshing: PeriodicTask | undefined

  constructor(
    private readonly source: KeySource,
    private readonly revocations: Revocations,
    private readonly logger: Logger,
    freshness: AuthDataAge,
  ) {
    freshness.watch('keys', () => this.#fetchedAt)
  }

  onApplicationBootstrap(): void {
    this.#refreshing = runPeriodically(
      () => this.refresh(),
      () => (this.#keys && !this.isStale() ? REFRESH_MS : RETRY_MS),
    )
    // Whoever declares a key compromised publishes its successor.
    this.revocations.changes.subscribe(() => {
      if (this.isStale()) this.#refreshing?.runNow()
    })
  }

  onModuleDestroy(): void {
    this.#refreshing?.stop()
  }

  /** The key with this id. An unknown one is fetched, at most once in five seconds for all callers together. */
  async find(kind: TokenKind, kid: string): Promise<KeyObject | undefined> {
    if (this.revocations.isCompromised(kid)) return undefined
    const known = this.#keys?.[kind].get(kid)
    if (known) return known
    if (this.#running || performance.now() - this.#startedAt >= REFETCH_MS) await this.refresh()
    if (!this.#keys) throw keysUnavailable()
    return this.#keys[kind].get(kid)
  }

  has(kind: TokenKind, kid: string): boolean {
    return Boolean(this.#keys?.[kind].has(kid)) && !this.revocations.isCompromised(kid)
  }

  /** Fetches the keys, or joins the current fetch. A failure keeps the keys as they are. */
  refresh(): Promise<void> {
    if (this.#running) return this.#running
    this.#startedAt = performance.now()
    this.#running = this.fetch().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Whether a replica of the issuer that has not heard yet published these keys. */
  private isStale(): boolean {
    const kids = this.#keys ? [...this.#keys.account.keys(), ...this.#keys.client.keys()] : []
    return kids.some((kid) => this.revocations.isCompromised(kid))
  }

  private async fetch(): Promise<void> {
    try {
      const { account, client } = await this.source.fetch()
      // An issuer without keys cannot have signed anything: the keys we have are the better choice.
      if (!account.length || !client.length) throw new Error('the issuer has no keys')
      this.#keys = { account: byKid(account), client: byKid(client) }
      this.#fetchedAt = performance.now()
    } catch (error) {
      this.logger.warn({ err: error }, 'the keys of access tokens could not be fetched')
    }
  }
}

function byKid(keys: readonly PublicJwk[]): Map<string, KeyObject> {
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]))
}
