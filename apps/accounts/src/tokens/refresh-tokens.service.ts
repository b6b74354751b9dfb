import { Injectable } from '@nestjs/common'
import type { Scope } from '@trestle/contracts/permissions'
import { Clock } from '@trestle/runtime/clock'
import type { LiveClient } from '../client-keys/client-key.js'
import { IssuerService } from './issuer.service.js'
import { hashJti, isUnusable, isUseToBeSaved, type RefreshClaims, type StoredRefreshToken } from './refresh-token.js'
import { RefreshTokensRepository } from './refresh-tokens.repository.js'
import { TokenReaderService } from './token-reader.service.js'

/** A refresh token that may be used now. */
interface RedeemedToken {
  readonly claims: RefreshClaims
  readonly stored: StoredRefreshToken
}

/**
 * A refresh token is valid for a year, unless it is revoked, unused for too long or its key is deleted. It is replaced where clients expect
 * that; from the first use of its successor on it is invalid, and its use ends all that replaced one another: one of two users is a thief.
 */
@Injectable()
export class RefreshTokensService {
  constructor(
    private readonly issuer: IssuerService,
    private readonly reader: TokenReaderService,
    private readonly tokens: RefreshTokensRepository,
    private readonly clock: Clock,
  ) {}

  async issue(client: LiveClient, scopes: readonly Scope[]): Promise<string> {
    const issuedAt = this.clock.now()
    const { token, claims } = await this.issuer.refreshToken(client, scopes, issuedAt)
    const hash = hashJti(claims.jti)
    const place = { hash, family: null, generation: 0 }
    await this.tokens.insert({ ...place, clientId: client.clientId, issuedAt, expiresAt: new Date(claims.exp * 1000) })
    return token
  }

  /** The token that replaces this one: for the same scopes, and valid no longer. */
  async replace(client: LiveClient, { claims, stored }: RedeemedToken, scopes: readonly Scope[]): Promise<string> {
    const issuedAt = this.clock.now()
    const expiresAt = new Date(claims.exp * 1000)
    const { token, claims: next } = await this.issuer.refreshToken({ ...client, expiresAt }, scopes, issuedAt)
    const place = { hash: hashJti(next.jti), family: stored.family, generation: stored.generation + 1 }
    await this.tokens.prune(stored, issuedAt)
    await this.tokens.insert({ ...place, clientId: client.clientId, issuedAt, expiresAt })
    return token
  }

  /** The claims of a refresh token that is authentic and could be used. Its client may have ended since. */
  async find(token: string): Promise<RefreshClaims | undefined> {
    const found = await this.read(token)
    return found && !isUnusable(found.stored, this.clock.now()) ? found.claims : undefined
  }

  /** A refresh token that is used; reuse of one that was replaced ends its family. */
  async redeem(token: string): Promise<RedeemedToken | undefined> {
    const found = await this.read(token)
    if (!found) return undefined
    const now = this.clock.now()
    if (isUnusable(found.stored, now)) {
      await this.tokens.revokeFamily(found.stored, now)
      return undefined
    }
    if (isUseToBeSaved(found.stored, now)) await this.tokens.saveUse(hashJti(found.claims.jti), now)
    return found
  }

  /** RFC 7009 section 2.1: with all that replaced one another. */
  async revoke({ jti }: RefreshClaims): Promise<void> {
    const stored = await this.tokens.find(hashJti(jti))
    if (stored) await this.tokens.revokeFamily(stored, this.clock.now())
  }

  private async read(token: string): Promise<RedeemedToken | undefined> {
    const claims = await this.reader.read('refresh', token)
    const stored = claims && (await this.tokens.find(hashJti(claims.jti)))
    return stored && { claims, stored }
  }
}
