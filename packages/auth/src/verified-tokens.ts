import { hash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import { type Claims, kindOfClaims, type TokenKind } from './claims.js'
import { headerOf } from './jwt.strategy.js'
import { KeyStore } from './key-store.js'
import { TokenGuard } from './token.guard.js'

interface VerifiedToken {
  readonly kind: TokenKind
  readonly kid: string
  readonly claims: Claims
}

/** The claims of tokens whose signature was verified. */
@Injectable()
export class VerifiedTokens {
  // A hash costs a hundredth of a signature, and keeps tokens out of memory.
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: 10_000 })
  /** What came last over each connection, for as long as it is open: mostly it comes again, and to compare costs a tenth of a hash. */
  readonly #last = new WeakMap<object, { readonly token: string; readonly verified: VerifiedToken }>()

  constructor(
    private readonly keys: KeyStore,
    private readonly guard: TokenGuard,
  ) {}

  /** Also of a token that has expired since. */
  find(token: string, connection?: object): Claims | undefined {
    const verified = connection ? this.findAgain(token, connection) : this.#tokens.get(digestOf(token))
    // A key that was withdrawn invalidates the tokens it signed.
    return verified && this.keys.has(verified.kind, verified.kid) ? verified.claims : undefined
  }

  /** The claims of a token, for each of which there is one object for as long as it is known. */
  async verify(token: string): Promise<Claims> {
    const known = this.find(token)
    if (known) return known
    const claims = await this.guard.verify(token)
    this.#tokens.set(digestOf(token), { kind: kindOfClaims(claims), kid: headerOf(token).kid, claims })
    return claims
  }

  private findAgain(token: string, connection: object): VerifiedToken | undefined {
    const last = this.#last.get(connection)
    if (last?.token === token) return last.verified
    const verified = this.#tokens.get(digestOf(token))
    if (verified) this.#last.set(connection, { token, verified })
    return verified
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
