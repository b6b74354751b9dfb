import { hash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { LRUCache } from 'lru-cache'
import { AccountTokenStrategy } from './account-token.strategy.js'
import { AuthConfig } from './auth-config.js'
import { invalidToken, tokenExpired } from './auth-problems.js'
import { type Claims, isExpired, TOKEN_KINDS, type TokenKind } from './claims.js'
import { ClientTokenStrategy } from './client-token.strategy.js'
import { KeyStore } from './key-store.js'
import { headerOf } from './token-strategy.js'

// RFC 7515 section 3.1 with the one spelling of a 64-byte signature: Node's decoder reads many others, and each would be a second
// token that means the same. The last of 86 characters carries two bits.
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

interface Verified {
  readonly family: TokenKind
  readonly kid: string
  readonly claims: Claims
}

/** Tells whether a token is genuine, for this area and not expired; remembers the genuine ones. */
@Injectable()
export class TokenVerifier {
  // A hash costs a hundredth of a signature; and found by its hash, no token stays in memory.
  readonly #verified = new LRUCache<string, Verified>({ max: 10_000 })
  readonly #strategies: Record<TokenKind, object>

  constructor(
    private readonly config: AuthConfig,
    private readonly keys: KeyStore,
    account: AccountTokenStrategy,
    client: ClientTokenStrategy,
  ) {
    this.#strategies = { account, client }
  }

  async verify(token: string): Promise<Claims> {
    const digest = digestOf(token)
    const claims = this.find(digest) ?? (await this.check(token, digest))
    if (isExpired(claims, new Date())) throw tokenExpired(this.config.expiredStatus)
    return claims
  }

  /** The claims of a token that was verified before and has not expired. */
  known(token: string): Claims | undefined {
    const claims = this.find(digestOf(token))
    return claims && !isExpired(claims, new Date()) ? claims : undefined
  }

  private find(digest: string): Claims | undefined {
    const known = this.#verified.get(digest)
    // A key that was withdrawn takes the tokens it signed along.
    return known && this.keys.has(known.family, known.kid) ? known.claims : undefined
  }

  private async check(token: string, digest: string): Promise<Claims> {
    if (!FORM.test(token)) throw invalidToken('not the form of a token')
    const { typ, kid } = headerOf(token)
    const family = typ === TOKEN_KINDS.account.typ ? 'account' : 'client'
    const claims = await this.run(family, token)
    this.#verified.set(digest, { family, kid, claims })
    return claims
  }

  /** Runs a strategy as passport does, on an object that inherits from it; without passport's registry, of which a process has only one. */
  private run(family: TokenKind, token: string): Promise<Claims> {
    return new Promise((resolve, reject) => {
      const fail = (reason: Error) => reject(this.refusal(reason))
      Object.assign(Object.create(this.#strategies[family]), { success: resolve, error: reject, fail }).authenticate({ token })
    })
  }

  private refusal(reason: Error): Problem {
    if (reason instanceof Problem) return reason
    return reason.name === 'TokenExpiredError' ? tokenExpired(this.config.expiredStatus) : invalidToken(reason)
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
