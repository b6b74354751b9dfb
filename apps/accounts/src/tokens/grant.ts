import type { TokenRequest } from '@trestle/contracts/accounts/tokens'
import { Problem } from '@trestle/problem/problem'
import type { z } from 'zod'

type Grant =
  | { type: 'clientCredentials'; clientId: string; clientSecret: string }
  | { type: 'refreshToken'; refreshToken: string; clientId?: string; clientSecret?: string }

/** The grant that a body of `POST /auth/token` requests. A refresh needs no client, but a client that is named must be the token's. */
export function parseGrant(request: z.infer<typeof TokenRequest>): Grant {
  const { grantType, clientId, clientSecret, refreshToken } = request
  switch (grantType) {
    case 'clientCredentials':
      return { type: grantType, clientId: required('clientId', clientId), clientSecret: required('clientSecret', clientSecret) }
    case 'refreshToken':
      return { type: grantType, refreshToken: required('refreshToken', refreshToken), clientId, clientSecret }
    default:
      throw unsupportedGrantType('clientCredentials and refreshToken; those of OAuth are for POST /oauth2/token')
  }
}

export function unsupportedGrantType(supported: string): Problem {
  return new Problem('invalid', 'UnsupportedGrantType', `The grant types are ${supported}.`)
}

/** Problem `InvalidInput` where a member that this grant needs is missing. */
export function required(name: string, value: string | undefined): string {
  if (value) return value
  const message = 'is required here; it must be a string'
  throw new Problem('invalid', 'InvalidInput', `body.${name}: ${message}`, { errors: [{ path: `body.${name}`, message }] })
}
