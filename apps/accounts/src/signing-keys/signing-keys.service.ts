import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { SigningKey as DescribedKey } from '@trestle/contracts/accounts/administration'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { open, seal } from '@trestle/runtime/sealing'
import { Database } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { generateKeyPair } from './key-pair.js'
import {
  activeKey,
  dueKeys,
  expiredKeys,
  type Family,
  type NewKey,
  publishedKeys,
  rotationKeys,
  type SigningKey,
  stateOf,
} from './signing-key.js'
import { SigningKeysRepository, type StoredKey } from './signing-keys.repository.js'

export interface Signer {
  readonly kid: string
  readonly privateKey: KeyObject
}

export interface PublicKey {
  readonly kid: string
  readonly publicKey: KeyObject
  readonly publicJwk: PublicJwk
}

type LoadedKey = SigningKey & Signer & PublicKey

// A pending key is seen at least this often before it signs: no replica goes on with a key that the others have retired.
const STALE_MS = 5 * 60_000

/** The signing keys, held in memory: a replica signs with what it read in the last minutes, and reads again by itself. */
@Injectable()
export class SigningKeysService {
  #keys: readonly LoadedKey[] = []
  #loadedAt = Number.NEGATIVE_INFINITY
  #maintaining: Promise<void> | undefined
  readonly #sealingKey: Buffer

  constructor(
    private readonly database: Database,
    private readonly repository: SigningKeysRepository,
    private readonly clock: Clock,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#sealingKey = Buffer.from(env.KEY_ENCRYPTION_KEY, 'base64')
  }

  /** The key that signs tokens of a family now. */
  async active(family: Family): Promise<Signer> {
    const key = activeKey(family, await this.current(), this.clock.now())
    if (!key) throw new Problem('unavailable', 'KeysUnavailable', 'There is no key to sign tokens with yet.', { headers: retryAfter(1) })
    return key
  }

  /** The public keys of a family: as long as a token may live, so does the key that signed it. */
  async published(family: Family): Promise<readonly PublicKey[]> {
    return publishedKeys(family, await this.current(), this.clock.now())
  }

  /** Read afresh, for an administrator. */
  async describe(): Promise<DescribedKey[]> {
    await this.load()
    const now = this.clock.now()
    return this.#keys.flatMap((key) => {
      const state = stateOf(key, this.#keys, now)
      return state === 'expired' ? [] : [{ kid: key.kid, family: key.family, state, createdAt: key.createdAt.toISOString() }]
    })
  }

  /** Adds a pending key to each family that has none. */
  async rotate(): Promise<void> {
    await this.change(rotationKeys)
  }

  /** Adds the keys that are due, the very first ones too, deletes the ones that nobody needs, and reads them all again. */
  maintain(): Promise<void> {
    this.#maintaining ??= this.addAndRemove().finally(() => {
      this.#maintaining = undefined
    })
    return this.#maintaining
  }

  private async addAndRemove(): Promise<void> {
    await this.load()
    const now = this.clock.now()
    if (dueKeys(this.#keys, now).length > 0 || expiredKeys(this.#keys, now).length > 0) await this.change(dueKeys)
  }

  private async change(wanted: (keys: readonly SigningKey[], now: Date) => NewKey[]): Promise<void> {
    await this.database.$transaction(async (tx) => {
      await this.repository.lock(tx)
      // Decided under the lock: of replicas that want the same key, one finds it wanting.
      const keys = await this.repository.list(tx)
      const now = this.clock.now()
      const added = wanted(keys, now).map((key) => this.generate(key, now))
      await this.repository.add(tx, added)
      await this.repository.remove(tx, expiredKeys(keys, now))
    })
    await this.load()
  }

  private generate({ family, activeFrom }: NewKey, createdAt: Date): StoredKey {
    const { publicJwk, privateKey } = generateKeyPair()
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const privateSealed = new Uint8Array(seal(this.#sealingKey, pem))
    return { kid: publicJwk.kid, family, publicJwk, privateSealed, createdAt, activeFrom }
  }

  private async current(): Promise<readonly LoadedKey[]> {
    if (this.clock.now().getTime() - this.#loadedAt > STALE_MS) await this.maintain()
    return this.#keys
  }

  private async load(): Promise<void> {
    const loadedAt = this.clock.now().getTime()
    const known = new Map(this.#keys.map(({ kid, privateKey, publicKey }) => [kid, { privateKey, publicKey }]))
    const stored = await this.repository.list()
    this.#keys = stored.map(({ privateSealed, ...key }) => ({ ...key, ...(known.get(key.kid) ?? this.opened(privateSealed)) }))
    this.#loadedAt = loadedAt
  }

  private opened(privateSealed: Uint8Array): Pick<LoadedKey, 'privateKey' | 'publicKey'> {
    const privateKey = createPrivateKey(open(this.#sealingKey, privateSealed))
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
}
