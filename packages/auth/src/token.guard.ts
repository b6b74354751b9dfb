import { Injectable } from '@nestjs/common'
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host'
import { AuthGuard } from '@nestjs/passport'
import { Problem } from '@trestle/problem/problem'
import { AccountTokenStrategy } from './account-token.strategy.js'
import { AuthConfig } from './auth-config.js'
import { invalidToken, tokenExpired } from './auth-problems.js'
import type { Claims } from './claims.js'
import { ClientTokenStrategy } from './client-token.strategy.js'
import type { BearerCredentials } from './jwt.strategy.js'
import { hasLowS } from './low-s.js'

// RFC 7515 section 3.1 with the canonical encoding of a 64-byte signature: Node's decoder accepts many others, and each would be
// a second token with the same meaning. The last of 86 characters carries two bits.
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

/** Nest's `AuthGuard` over the strategies of this application. */
@Injectable()
export class TokenGuard extends AuthGuard() {
  constructor(
    account: AccountTokenStrategy,
    client: ClientTokenStrategy,
    private readonly config: AuthConfig,
  ) {
    super({ defaultStrategy: [account.name, client.name], session: false })
  }

  /** The claims of a token that is genuine, for this area and not expired. */
  async verify(token: string): Promise<Claims> {
    if (!COMPACT_JWS.test(token)) throw invalidToken('not in the form of a token')
    if (!hasLowS(Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url'))) throw invalidToken('the higher of two signatures')
    const request: BearerCredentials & { user?: Claims } = { token }
    await this.canActivate(new ExecutionContextHost([request]))
    if (!request.user) throw invalidToken()
    return request.user
  }

  /** Passport calls this with the error of a strategy, with claims, or with the reason of each strategy to refuse the token. */
  override handleRequest<C = Claims>(error: unknown, claims: C | false | undefined, reasons?: readonly Error[]): C {
    if (error) throw error
    if (claims) return claims
    throw this.problemOf(reasons ?? [])
  }

  // Each strategy refuses the tokens of the other kind; what else a reason says is about this token.
  private problemOf(reasons: readonly Error[]): Problem {
    if (reasons.some(({ name }) => name === 'TokenExpiredError')) return tokenExpired(this.config.expiredStatus)
    const unavailable = reasons.find((reason): reason is Problem => reason instanceof Problem && reason.kind === 'unavailable')
    return unavailable ?? invalidToken(reasons)
  }
}
