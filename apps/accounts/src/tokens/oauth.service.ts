import { Injectable } from '@nestjs/common'
import { ClientAuthenticationService } from '../client-keys/client-authentication.service.js'
import type { LiveClient } from '../client-keys/client-key.js'
import { clientCredentialsOf } from './client-credentials.js'
import { required, unsupportedGrantType } from './grant.js'
import { type Introspection, introspected, unsupportedTokenType, wrongClient } from './introspection.js'
import { RefreshTokensService } from './refresh-tokens.service.js'
import { TokenReaderService } from './token-reader.service.js'
import { type IssuedTokens, TokensService } from './tokens.service.js'

/** The form of a request and its Authorization headers. */
export interface OAuthRequest {
  readonly form: Readonly<Record<string, string>>
  readonly authorization: readonly string[]
  /** Where it came from. */
  readonly network: string
}

/** The standard OAuth endpoints, expressed by the two grants. */
@Injectable()
export class OAuthService {
  constructor(
    private readonly clients: ClientAuthenticationService,
    private readonly tokens: TokensService,
    private readonly refreshTokens: RefreshTokensService,
    private readonly reader: TokenReaderService,
  ) {}

  /** RFC 6749 sections 4.4 and 6. */
  async token(request: OAuthRequest): Promise<IssuedTokens> {
    const { grant_type: grantType, scope, refresh_token: refreshToken } = request.form
    required('grant_type', grantType)
    const client = await this.authenticate(request)
    switch (grantType) {
      case 'client_credentials':
        return this.tokens.issue(client, scope)
      case 'refresh_token':
        return this.tokens.rotate({
          refreshToken: required('refresh_token', refreshToken),
          clientId: client.clientId,
          scope,
          network: request.network,
        })
      default:
        throw unsupportedGrantType('client_credentials, refresh_token and device_code')
    }
  }

  /** RFC 7009 section 2: an invalid token counts as revoked. Returns the client that asked. */
  async revoke(request: OAuthRequest): Promise<LiveClient> {
    const client = await this.authenticate(request)
    const token = required('token', request.form.token)
    const claims = await this.refreshTokens.find(token)
    if (claims && claims.client_id !== client.clientId) throw wrongClient()
    if (claims) await this.refreshTokens.revoke(claims)
    else if (await this.reader.read('client', token)) throw unsupportedTokenType()
    return client
  }

  /** RFC 7662 section 2: an invalid token and another client's token get the same reply. */
  async introspect(request: OAuthRequest): Promise<Introspection> {
    const client = await this.authenticate(request)
    const token = required('token', request.form.token)
    const claims = (await this.reader.read('client', token)) ?? (await this.refreshTokens.find(token))
    return introspected(claims, client)
  }

  private authenticate({ form, authorization, network }: OAuthRequest): Promise<LiveClient> {
    return this.clients.authenticate(clientCredentialsOf(authorization, form), network)
  }
}
