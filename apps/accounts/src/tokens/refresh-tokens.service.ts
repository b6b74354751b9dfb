import { Injectable } from '@nestjs/common'
import type { ClientArea } from '@trestle/contracts/areas'
import { Clock } from '@trestle/runtime/clock'
import type { LiveClient } from '../client-keys/client-key.js'
import { IssuerService } from './issuer.service.js'
import { hashJti, type RefreshClaims } from './refresh-token.js'
import { RefreshTokensRepository } from './refresh-tokens.repository.js'
import { TokenReaderService } from './token-reader.service.js'

/** Refresh tokens are not rotated: one is valid for a year, unless it is revoked or its key is deleted. */
@Injectable()
export class RefreshTokensService {
  constructor(
    private readonly issuer: IssuerService,
    private readonly reader: TokenReaderService,
    private readonly tokens: RefreshTokensRepository,
    private readonly clock: Clock,
  ) {}

  async issue(client: LiveClient, scopes: readonly ClientArea[]): Promise<string> {
    const issuedAt = this.clock.now()
    const { token, claims } = await this.issuer.refreshToken(client, scopes, issuedAt)
    await this.tokens.insert({ hash: hashJti(claims.jti), clientId: client.clientId, issuedAt, expiresAt: new Date(claims.exp * 1000) })
    return token
  }

  /** The claims of a refresh token that is authentic and not revoked. Its client may have ended since. */
  async find(token: string): Promise<RefreshClaims | undefined> {
    const claims = await this.reader.read('refresh', token)
    return claims && (await this.tokens.isValid(hashJti(claims.jti))) ? claims : undefined
  }

  async revoke({ jti }: RefreshClaims): Promise<void> {
    await this.tokens.revoke(hashJti(jti), this.clock.now())
  }
}
