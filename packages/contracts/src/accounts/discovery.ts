import { z } from 'zod'
import { endpoint } from '../endpoint.js'

/** A public signing key (RFC 7517), ES256 only. */
export const PublicJwk = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    alg: z.literal('ES256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicJwk' })
export type PublicJwk = z.infer<typeof PublicJwk>

const AuthorizationServer = z.looseObject({ issuer: z.string() }).meta({ id: 'AuthorizationServer' })

export const discovery = {
  keys: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify tokens (RFC 7517).',
    access: 'public',
    status: 200,
    reply: z.object({ keys: z.array(PublicJwk) }).meta({ id: 'Jwks' }),
  }),
  metadata: endpoint({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata for OAuth clients (RFC 8414).',
    access: 'public',
    status: 200,
    reply: AuthorizationServer,
  }),
  metadataOfIssuer: endpoint({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server/accounts',
    summary: 'The same metadata, at the path of RFC 8414 section 3.1 for an issuer with a path.',
    access: 'public',
    status: 200,
    reply: AuthorizationServer,
  }),
}
