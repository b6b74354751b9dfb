import { Injectable } from '@nestjs/common'
import { ClientAuthentication } from '../client-keys/client-authentication.service.js'
import type { LiveClient } from '../client-keys/client-key.js'
import { clientCredentialsOf } from './client-credentials.js'
import { required, unsupportedGrantType } from './grant.js'
import { type Introspection, introspected, unsupportedTokenType, wrongClient } from './introspection.js'
import { RefreshTokensService } from './refresh-tokens.service.js'
import { TokenReader } from './token-reader.service.js'
import { type Issued, TokensService } from './tokens.service.js'

/** A form as it came, and the request's Authorization headers. */
export interface OAuthRequest {
  readonly form: Readonly<Record<string, string>>
  readonly authorization: readonly string[]
}

/** The standard endpoints, in the terms of the two grants. */
@Injectable()
export class OAuthService {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: TokensService,
    private readonly refreshTokens: RefreshTokensService,
    private readonly reader: TokenReader,
  ) {}

  /** RFC 6749 sections 4.4 and 6. */
  async token(request: OAuthRequest): Promise<Issued> {
    const { grant_type: grantType, scope, refresh_token: refreshToken } = request.form
    required('grant_type', grantType)
    const client = await this.authenticate(request)
    switch (grantType) {
      case 'client_credentials':
        return this.tokens.issue(client, scope)
      case 'refresh_token':
        return this.tokens.refresh({ refreshToken: required('refresh_token', refreshToken), clientId: client.clientId, scope })
      default:
        throw unsupportedGrantType('client_credentials and refresh_token')
    }
  }

  /** RFC 7009 section 2: a token that is not alive is as good as revoked. Answers which client asked. */
  async revoke(request: OAuthRequest): Promise<LiveClient> {
    const client = await this.authenticate(request)
    const token = required('token', request.form.token)
    const claims = await this.refreshTokens.find(token)
    if (claims && claims.client_id !== client.clientId) throw wrongClient()
    if (claims) await this.refreshTokens.revoke(claims)
    else if (await this.reader.read('client', token)) throw unsupportedTokenType()
    return client
  }

  /** RFC 7662 section 2: what is not alive, or another client's, is told apart in no way. */
  async introspect(request: OAuthRequest): Promise<Introspection> {
    const client = await this.authenticate(request)
    const token = required('token', request.form.token)
    const claims = (await this.reader.read('client', token)) ?? (await this.refreshTokens.find(token))
    return introspected(claims, client)
  }

  private authenticate({ form, authorization }: OAuthRequest): Promise<LiveClient> {
    const { clientId, clientSecret } = clientCredentialsOf(authorization, form)
    return this.clients.authenticate(clientId, clientSecret)
  }
}
