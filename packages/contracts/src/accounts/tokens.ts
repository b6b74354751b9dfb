import { z } from 'zod'
import { endpoint } from '../endpoint.js'

const secret = z.string().min(1).max(4096)

const GRANT_TYPES = 'must be "clientCredentials" or "refreshToken"; OAuth clients, which send grant_type in a form, call POST /oauth2/token'

/** The body of `POST /auth/token` (interface 4.1). Unknown members are ignored. */
export const TokenRequest = z
  .object({
    grantType: z.string(GRANT_TYPES).max(100),
    clientId: secret.optional(),
    clientSecret: secret.optional(),
    refreshToken: secret.optional(),
  })
  .meta({ id: 'TokenRequest' })

const ClientTokens = z.object({ accessToken: z.string(), refreshToken: z.string().optional() }).meta({ id: 'ClientTokens' })

/** A form of RFC 6749; the grant determines which members are required. */
const Form = z.record(z.string(), z.string()).meta({ id: 'OAuthForm' })

export const tokens = {
  issue: endpoint({
    method: 'POST',
    path: '/auth/token',
    summary:
      'Exchange a client key pair (`clientCredentials`) or a refresh token (`refreshToken`) for a client access token that is valid for 1 hour.',
    access: 'public',
    audit: 'token-refused',
    body: TokenRequest,
    status: 200,
    reply: ClientTokens,
    problems: ['UnsupportedGrantType', 'InvalidClient', 'InvalidRefreshToken'],
  }),
  oauthToken: endpoint({
    method: 'POST',
    path: '/oauth2/token',
    summary:
      'The token endpoint of RFC 6749: client_credentials and refresh_token for client keys, and the device_code of RFC 8628 for the command line.',
    access: 'public',
    audit: 'token-refused',
    body: Form,
    form: true,
    status: 200,
    reply: z
      .object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        refresh_token: z.string().optional(),
        scope: z.string(),
      })
      .meta({ id: 'OAuthTokens' }),
  }),
  oauthRevoke: endpoint({
    method: 'POST',
    path: '/oauth2/revoke',
    summary: 'Revoke a refresh token (RFC 7009).',
    access: 'public',
    audit: 'token-revoked',
    body: Form,
    form: true,
    status: 200,
    reply: z.object({}).meta({ id: 'Revoked' }),
  }),
  oauthIntrospect: endpoint({
    method: 'POST',
    path: '/oauth2/introspect',
    summary: 'Introspect a token of this client (RFC 7662).',
    access: 'public',
    body: Form,
    form: true,
    status: 200,
    reply: z.looseObject({ active: z.boolean() }).meta({ id: 'Introspection' }),
    recording: 'none',
  }),
}
