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

const REFRESH_MS = 60_000
const RETRY_MS = 1_000
const REFETCH_MS = 5_000

/** Where the public keys come from: accounts reads its own, the others ask accounts. */
export abstract class KeySource {
  abstract fetch(): Promise<ReplyOf<typeof listKeys>>
}

/** The public keys of both token families: the last good set, however long ago that was. */
@Injectable()
export class KeyStore implements OnApplicationBootstrap, OnModuleDestroy {
  #keys: Record<TokenKind, Map<string, KeyObject>> | undefined
  #fetchedAt: number | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #refreshing: PeriodicTask | undefined

  constructor(
    private readonly source: KeySource,
    private readonly logger: Logger,
    freshness: AuthDataAge,
  ) {
    freshness.watch('keys', () => this.#fetchedAt)
  }

  onApplicationBootstrap(): void {
    this.#refreshing = runPeriodically(
      () => this.refresh(),
      () => (this.#keys ? REFRESH_MS : RETRY_MS),
    )
  }

  onModuleDestroy(): void {
    this.#refreshing?.stop()
  }

  /** The key of this id; one that is not known is asked for, at most once in five seconds for all askers together. */
  async find(family: TokenKind, kid: string): Promise<KeyObject | undefined> {
    const known = this.#keys?.[family].get(kid)
    if (known) return known
    if (this.#running || performance.now() - this.#startedAt >= REFETCH_MS) await this.refresh()
    if (!this.#keys) throw keysUnavailable()
    return this.#keys[family].get(kid)
  }

  has(family: TokenKind, kid: string): boolean {
    return this.#keys?.[family].has(kid) ?? false
  }

  /** Fetches the keys, joining a fetch under way; a failure leaves the keys as they are. */
  refresh(): Promise<void> {
    if (this.#running) return this.#running
    this.#startedAt = performance.now()
    this.#running = this.fetch().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  private async fetch(): Promise<void> {
    try {
      const { account, client } = await this.source.fetch()
      // An issuer that has no keys yet cannot have signed anything: the keys we have are the better answer.
      if (!account.length || !client.length) throw new Error('the issuer has no keys')
      this.#keys = { account: byKid(account), client: byKid(client) }
      this.#fetchedAt = performance.now()
    } catch (error) {
      this.logger.warn({ err: error }, 'could not fetch the keys of the access tokens')
    }
  }
}

function byKid(keys: readonly PublicJwk[]): Map<string, KeyObject> {
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]))
}
