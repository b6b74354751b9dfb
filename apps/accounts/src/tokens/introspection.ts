import type { ClientClaims } from '@trestle/auth/claims'
import { Problem } from '@trestle/problem/problem'
import type { LiveClient } from '../client-keys/client-key.js'
import type { RefreshClaims } from './refresh-token.js'

export type Introspection = { active: false } | ({ active: true; token_type?: 'Bearer' } & Partial<ClientClaims | RefreshClaims>)

/** What a client learns about a verified token: everything, if it is its own and no epoch has invalidated it. */
export function introspected(claims: ClientClaims | RefreshClaims | undefined, client: LiveClient): Introspection {
  if (!claims || claims.client_id !== client.clientId) return { active: false }
  if (!('kep' in claims)) return { active: true, ...claims }
  const isCurrent = claims.ep >= client.epoch && claims.kep >= client.keyEpoch
  return isCurrent ? { active: true, token_type: 'Bearer', ...claims } : { active: false }
}

/** RFC 7009 section 2.1: a client revokes its own tokens only. */
export function wrongClient(): Problem {
  return new Problem('invalid', 'InvalidRefreshToken', 'The token was issued to another client.')
}

export function unsupportedTokenType(): Problem {
  return new Problem(
    'invalid',
    'UnsupportedTokenType',
    'Access tokens cannot be revoked one by one; delete the client key to end all of them.',
  )
}
