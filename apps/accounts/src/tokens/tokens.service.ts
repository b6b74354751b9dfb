import { Injectable } from '@nestjs/common'
import type { TokenRequest } from '@trestle/contracts/accounts/tokens'
import type { Scope } from '@trestle/contracts/permissions'
import { Clock } from '@trestle/runtime/clock'
import type { z } from 'zod'
import { ClientAuthenticationService } from '../client-keys/client-authentication.service.js'
import type { LiveClient } from '../client-keys/client-key.js'
import { parseGrant } from './grant.js'
import { IssuerService } from './issuer.service.js'
import { invalidRefreshToken } from './refresh-token.js'
import { RefreshTokensService } from './refresh-tokens.service.js'
import { remainingScopes, requestedScopes } from './scope.js'

export interface IssuedTokens {
  readonly client: LiveClient
  readonly accessToken: string
  readonly refreshToken?: string
  readonly expiresIn: number
  readonly scope: string
}

interface RefreshRequest {
  readonly refreshToken: string
  readonly clientId?: string
  readonly scope?: string
  /** Where the request came from. */
  readonly network: string
}

/** Exchanges client keys and refresh tokens for access tokens: the two grants, for every endpoint that accepts them. */
@Injectable()
export class TokensService {
  constructor(
    private readonly clients: ClientAuthenticationService,
    private readonly issuer: IssuerService,
    private readonly refreshTokens: RefreshTokensService,
    private readonly clock: Clock,
  ) {}

  async grant(request: z.infer<typeof TokenRequest>, network: string): Promise<IssuedTokens> {
    const grant = parseGrant(request)
    if (grant.type === 'clientCredentials') return this.issue(await this.clients.authenticate(grant, network))
    // A refresh needs no secret, but a wrong one is refused.
    const { clientId = '', clientSecret } = grant
    if (clientSecret !== undefined) await this.clients.authenticate({ clientId, clientSecret }, network)
    return this.refresh({ ...grant, network })
  }

  /** Client credentials: an access and a refresh token. */
  async issue(client: LiveClient, scope?: string): Promise<IssuedTokens> {
    const scopes = requestedScopes(scope, client.scopes)
    // First what may be refused, for a refresh token is a row.
    const issued = await this.issueAccessToken(client, scopes)
    const refreshToken = await this.refreshTokens.issue(client, scopes)
    return { ...issued, refreshToken }
  }

  /** A new access token. A client that is named must be the token's. */
  async refresh(request: RefreshRequest): Promise<IssuedTokens> {
    const { client, scopes } = await this.redeem(request)
    return this.issueAccessToken(client, requestedScopes(request.scope, scopes))
  }

  /** The same with a refresh token that replaces the one that was sent. */
  async rotate(request: RefreshRequest): Promise<IssuedTokens> {
    const { client, scopes, redeemed } = await this.redeem(request)
    const issued = await this.issueAccessToken(client, requestedScopes(request.scope, scopes))
    return { ...issued, refreshToken: await this.refreshTokens.replace(client, redeemed, scopes) }
  }

  private async redeem({ refreshToken, clientId, network }: RefreshRequest) {
    const redeemed = await this.refreshTokens.redeem(refreshToken)
    const client = redeemed && (await this.clients.find(redeemed.claims.client_id, network))
    if (!redeemed || !client || (clientId ?? client.clientId) !== client.clientId) throw invalidRefreshToken()
    return { client, redeemed, scopes: remainingScopes(redeemed.claims.scope, client.scopes) }
  }

  private async issueAccessToken(client: LiveClient, scopes: readonly Scope[]): Promise<IssuedTokens> {
    const { token, claims } = await this.issuer.accessToken(client, scopes, this.clock.now())
    return { client, accessToken: token, expiresIn: claims.exp - claims.iat, scope: scopes.join(' ') }
  }
}
