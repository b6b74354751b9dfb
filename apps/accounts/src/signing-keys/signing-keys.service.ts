import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { SigningKey as DescribedKey } from '@trestle/contracts/accounts/administration'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { PlainSealer } from '@trestle/runtime/sealing'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { CURVE, publicJwkOf } from './public-jwk.js'
import {
  activeKey,
  dueKeys,
  expiredKeys,
  type KeyFamily,
  keyStateOf,
  type PlannedKey,
  publishedKeys,
  rotationKeys,
  type SigningKeyRecord,
} from './signing-key.js'
import { SigningKeysRepository, type StoredKey } from './signing-keys.repository.js'

interface Signer {
  readonly kid: string
  readonly privateKey: KeyObject
}

export interface VerificationKey {
  readonly kid: string
  readonly publicKey: KeyObject
  readonly publicJwk: PublicJwk
}

type KeyPlan = (keys: readonly SigningKeyRecord[], now: Date) => PlannedKey[]

type LoadedKey = SigningKeyRecord & Signer & VerificationKey

// Shorter than a key is pending: no replica signs with a key that the others have retired.
const STALE_MS = 5 * 60_000

/** The signing keys, cached in memory: a replica signs with what it read within the last minutes. */
@Injectable()
export class SigningKeysService {
  #keys: readonly LoadedKey[] = []
  #loadedAt = Number.NEGATIVE_INFINITY
  #maintaining: Promise<void> | undefined
  readonly #sealer: PlainSealer

  constructor(
    private readonly database: AccountsDatabase,
    private readonly repository: SigningKeysRepository,
    private readonly clock: Clock,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#sealer = new PlainSealer(env.KEY_ENCRYPTION_KEY)
  }

  /** The key that signs the tokens of a family now. */
  async active(family: KeyFamily): Promise<Signer> {
    const key = activeKey(family, await this.current(), this.clock.now())
    if (!key) throw new Problem('unavailable', 'KeysUnavailable', 'There is no signing key yet; try again.', { headers: retryAfter(1) })
    return key
  }

  /** The public keys of a family; a key stays published as long as a token that it signed can be valid. */
  async published(family: KeyFamily): Promise<readonly VerificationKey[]> {
    return publishedKeys(family, await this.current(), this.clock.now())
  }

  /** For administrators: read from the database, not from the cache. */
  async describe(): Promise<DescribedKey[]> {
    await this.reload()
    const now = this.clock.now()
    return this.#keys.flatMap((key) => {
      const state = keyStateOf(key, this.#keys, now)
      return state === 'expired' ? [] : [{ kid: key.kid, family: key.family, state, createdAt: key.createdAt.toISOString() }]
    })
  }

  /** Adds a pending key to each family that has none. */
  async rotate(): Promise<void> {
    await this.change(rotationKeys)
  }

  /** Ends a key and gives its family another, in a transaction; call `reload` after the commit. */
  async compromise(tx: AccountsTransaction, kid: string, now: Date): Promise<void> {
    await this.repository.lock(tx)
    if (!(await this.repository.list(tx)).some((key) => key.kid === kid)) throw unknownSigningKey()
    await this.repository.markCompromised(tx, kid, now)
    await this.apply(tx, dueKeys)
  }

  /** The ids of compromised keys. Every replica reads them each second: one that still had such a key gets the successor too. */
  async compromised(): Promise<string[]> {
    const kids = await this.repository.listCompromised()
    if (this.#keys.some(({ kid, compromisedAt }) => !compromisedAt && kids.includes(kid))) await this.maintain()
    return kids
  }

  async reload(): Promise<void> {
    const loadedAt = this.clock.now().getTime()
    const cached = new Map(this.#keys.map(({ kid, privateKey, publicKey }) => [kid, { privateKey, publicKey }]))
    const stored = await this.repository.list()
    this.#keys = stored.map(({ privateSealed, ...key }) => ({ ...key, ...(cached.get(key.kid) ?? this.unseal(privateSealed)) }))
    this.#loadedAt = loadedAt
  }

  /** Generates the keys that are due, including the first ones, deletes the expired ones and reloads all. */
  maintain(): Promise<void> {
    this.#maintaining ??= this.addAndRemove().finally(() => {
      this.#maintaining = undefined
    })
    return this.#maintaining
  }

  private async addAndRemove(): Promise<void> {
    await this.reload()
    const now = this.clock.now()
    if (dueKeys(this.#keys, now).length > 0 || expiredKeys(this.#keys, now).length > 0) await this.change(dueKeys)
  }

  private async change(plan: KeyPlan): Promise<void> {
    await this.database.$transaction(async (tx) => {
      await this.repository.lock(tx)
      await this.apply(tx, plan)
    })
    await this.reload()
  }

  /** Under the lock: of several replicas, one generates the key. */
  private async apply(tx: AccountsTransaction, plan: KeyPlan): Promise<void> {
    const keys = await this.repository.list(tx)
    const now = this.clock.now()
    const added = plan(keys, now).map((key) => this.generate(key, now))
    await this.repository.insert(tx, added)
    await this.repository.delete(tx, expiredKeys(keys, now))
  }

  private generate({ family, activeFrom }: PlannedKey, createdAt: Date): StoredKey {
    const { publicKey, privateKey } = generateKeyPairSync('ec', CURVE)
    const publicJwk = publicJwkOf(publicKey)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const privateSealed = new Uint8Array(this.#sealer.seal(pem))
    return { kid: publicJwk.kid, family, publicJwk, privateSealed, createdAt, activeFrom, compromisedAt: null }
  }

  private async current(): Promise<readonly LoadedKey[]> {
    if (this.clock.now().getTime() - this.#loadedAt > STALE_MS) await this.maintain()
    return this.#keys
  }

  private unseal(privateSealed: Uint8Array): Pick<LoadedKey, 'privateKey' | 'publicKey'> {
    const privateKey = createPrivateKey(this.#sealer.open(privateSealed))
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
}

function unknownSigningKey(): Problem {
  return new Problem('unknown', 'UnknownSigningKey', 'There is no such signing key: all that it signed has expired, or the id is another.')
}
