import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { bearerOf } from '@trestle/auth/bearer'
import type { ForeignTokens } from '@trestle/gateway/access-rules'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import { LRUCache } from 'lru-cache'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KeySetClient } from './key-set.client.js'
import { ALGORITHMS } from './key-set.js'
import { KeySets, KeysUnavailable, type ProviderKey } from './key-sets.engine.js'
import { issuerKeysUnavailable, NO_ALGORITHM, reasonOfRefusal, refusedToken } from './token-refusal.js'
import type { TokenSettings } from './token-settings.js'

/** Of the clocks of an issuer, and of this machine. */
const SKEW_SECONDS = 30
const MAX_REMEMBERED = 10_000
const MAX_KID = 200

interface VerifiedToken {
  readonly key: ProviderKey
  /** In epoch seconds. */
  readonly expiresAt: number
  /** A hash of its subject; the same for all tokens without one. */
  readonly caller: string
}

/** The tokens that one issuer gives to the callers of a project. */
export interface TokensOfIssuer extends ForeignTokens {
  /** Who calls; undefined of who has another token, or none. */
  callerOf(request: IncomingMessage): string | undefined
}

/** The tokens of identity providers that owners of projects have named. Verified ones are remembered. */
@Injectable()
export class ForeignTokenVerifier {
  /** By a hash of the token and of what it was held against. */
  readonly verified = new LRUCache<string, VerifiedToken>({ max: MAX_REMEMBERED })
  readonly keySets: KeySets
  readonly ownIssuer: string

  constructor(
    @Inject(ENV) env: EthRpcEnv,
    readonly clock: Clock,
    logger: Logger,
  ) {
    this.ownIssuer = `${env.PUBLIC_URL}/accounts`
    const onFailure = (url: string, err: unknown) =>
      logger.warn({ err, host: new URL(url).host }, "the keys of a project's identity provider could not be fetched")
    this.keySets = new KeySets({ client: new KeySetClient(env.NODE_ENV !== 'production'), clock, onFailure })
  }

  of(settings: TokenSettings): TokensOfIssuer {
    return new IssuerTokens(this, settings)
  }
}

class IssuerTokens implements TokensOfIssuer {
  readonly #name: string
  /** What came last over each connection: mostly it comes again, and to compare costs a tenth of a hash. */
  readonly #last = new WeakMap<object, { readonly token: string; readonly verified: VerifiedToken }>()

  /** The same, of tokens that are not foreign. */
  readonly #ours = new WeakMap<object, string>()

  constructor(
    private readonly verifier: ForeignTokenVerifier,
    private readonly settings: TokenSettings,
  ) {
    this.#name = hash('sha256', JSON.stringify([settings.jwksUrl, settings.issuer, settings.audience]), 'base64url')
  }

  isPresentedBy(request: IncomingMessage): boolean {
    const token = tokenOf(request)
    if (token === undefined) return false
    if (this.#ours.get(request.socket) === token) return false
    if (this.remembered(token, request.socket) || this.isForeign(token)) return true
    this.#ours.set(request.socket, token)
    return false
  }

  admit(request: IncomingMessage): void | Promise<void> {
    const token = bearerOf(request)
    const known = this.remembered(token, request.socket)
    if (!known || !this.isKeyPublished(known)) return this.verify(token)
    if (known.expiresAt + SKEW_SECONDS <= this.seconds()) throw refusedToken('it has expired')
  }

  callerOf(request: IncomingMessage): string | undefined {
    const token = tokenOf(request)
    return token === undefined ? undefined : this.remembered(token, request.socket)?.caller
  }

  private remembered(token: string, connection: object): VerifiedToken | undefined {
    const last = this.#last.get(connection)
    if (last?.token === token) return last.verified
    const verified = this.verifier.verified.get(this.digestOf(token))
    if (verified) this.#last.set(connection, { token, verified })
    return verified
  }

  /** A key that its issuer withdraws ends the tokens that it has signed. */
  private isKeyPublished({ key }: VerifiedToken): boolean {
    return this.verifier.keySets.current(this.settings.jwksUrl)?.includes(key) ?? false
  }

  /** What is no JWT, or of this platform, is refused as everywhere else. */
  private isForeign(token: string): boolean {
    try {
      return decodeJwt(token).iss !== this.verifier.ownIssuer
    } catch {
      return false
    }
  }

  private async verify(token: string): Promise<void> {
    const { issuer, audience, jwksUrl } = this.settings
    const key = await this.keyOf(token, jwksUrl)
    const currentDate = this.verifier.clock.now()
    const options = { issuer, audience, algorithms: [...ALGORITHMS], clockTolerance: SKEW_SECONDS, requiredClaims: ['exp'], currentDate }
    const { payload } = await jwtVerify(token, key.key, options).catch((error: unknown) => {
      throw refusedToken(reasonOfRefusal(error), error)
    })
    this.verifier.verified.set(this.digestOf(token), { key, expiresAt: payload.exp ?? 0, caller: callerIn(payload) })
  }

  private async keyOf(token: string, url: string): Promise<ProviderKey> {
    const { kid, alg } = headerOf(token)
    if (!ALGORITHMS.some((each) => each === alg)) throw refusedToken(NO_ALGORITHM)
    if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KID)) throw refusedToken('its key is unknown')
    try {
      const key = await this.verifier.keySets.find(url, { kid, alg: alg ?? '' })
      if (key) return key
    } catch (error) {
      throw error instanceof KeysUnavailable ? issuerKeysUnavailable(error.message) : error
    }
    throw refusedToken('its key is unknown')
  }

  private digestOf(token: string): string {
    return hash('sha256', this.#name + token, 'base64url')
  }

  private seconds(): number {
    return this.verifier.clock.now().getTime() / 1000
  }
}

/** Undefined where there is none, or several. */
function tokenOf(request: IncomingMessage): string | undefined {
  try {
    return bearerOf(request)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token)
  } catch (error) {
    throw refusedToken(reasonOfRefusal(error), error)
  }
}

function callerIn({ sub }: JWTPayload): string {
  return typeof sub === 'string' ? hash('sha256', sub, 'base64url') : ''
}
