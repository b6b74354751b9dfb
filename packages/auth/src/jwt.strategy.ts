import { type KeyObject, randomUUID } from 'node:crypto'
import { Strategy, type StrategyOptions } from 'passport-jwt'
import { z } from 'zod'
import type { AuthConfig } from './auth-config.js'
import { invalidToken } from './auth-problems.js'
import { CLOCK_TOLERANCE_SECONDS, TOKEN_KINDS, type TokenKind } from './claims.js'
import type { KeyStore } from './key-store.js'

/** passport-jwt under a unique name: passport has one registry a process, in which several services may run (decision 26). */
export class JwtStrategy extends Strategy {
  override name = `jwt-${randomUUID()}`
}

/** The only part of a request that a strategy sees. */
export interface BearerCredentials {
  readonly token: string
}

// Strict: `crit`, `jku`, `jwk`, `x5u` and `x5c` ask for things that no token of ours needs (RFC 8725 section 3.10).
const Header = z.strictObject({
  alg: z.literal('ES256'),
  typ: z.enum([TOKEN_KINDS.account.typ, TOKEN_KINDS.client.typ]),
  kid: z.string().max(100),
})

export function headerOf(token: string): z.infer<typeof Header> {
  const { success, data, error } = Header.safeParse(decoded(token.slice(0, token.indexOf('.'))))
  if (!success) throw invalidToken(error)
  return data
}

/** The options of passport-jwt for one kind of token; every optional check is on. */
export function jwtOptions(kind: TokenKind, { issuer, area }: AuthConfig, keys: KeyStore) {
  return {
    jwtFromRequest: ({ token }: BearerCredentials) => token,
    algorithms: ['ES256'],
    issuer,
    audience: area,
    jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    secretOrKeyProvider: (_request, token: string, done) => {
      // jsonwebtoken takes a KeyObject; the types of passport-jwt are older than that.
      keyOf(kind, token, keys)
        .then((key) => done(null, key as never))
        .catch(done)
    },
  } satisfies StrategyOptions
}

// passport-jwt ignores `typ`; without it a token made for one purpose opens another (RFC 8725 section 3.11).
async function keyOf(kind: TokenKind, token: string, keys: KeyStore): Promise<KeyObject> {
  const { typ, kid } = headerOf(token)
  const key = typ === TOKEN_KINDS[kind].typ ? await keys.find(kind, kid) : undefined
  if (!key) throw invalidToken(`no ${kind} key ${kid} for a token of type ${typ}`)
  return key
}

function decoded(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString())
  } catch (error) {
    throw invalidToken(error)
  }
}
