import type { TokenRequest } from '@trestle/contracts/accounts/tokens'
import { Problem } from '@trestle/problem/problem'
import type { z } from 'zod'

export type Grant =
  | { type: 'clientCredentials'; clientId: string; clientSecret: string }
  | { type: 'refreshToken'; refreshToken: string; clientId?: string; clientSecret?: string }

/** What a body of `POST /auth/token` asks for. A refresh needs no client, but one that is named must be the right one. */
export function parseGrant(request: z.infer<typeof TokenRequest>): Grant {
  const { grantType, clientId, clientSecret, refreshToken } = request
  switch (grantType) {
    case 'clientCredentials':
      return { type: grantType, clientId: required('clientId', clientId), clientSecret: required('clientSecret', clientSecret) }
    case 'refreshToken':
      return { type: grantType, refreshToken: required('refreshToken', refreshToken), clientId, clientSecret }
    default:
      throw unsupportedGrantType('clientCredentials and refreshToken')
  }
}

export function unsupportedGrantType(supported: string): Problem {
  return new Problem('invalid', 'UnsupportedGrantType', `The grant types are ${supported}.`)
}

/** Problem `InvalidInput` for a member that this grant needs. */
export function required(name: string, value: string | undefined): string {
  if (value) return value
  throw new Problem('invalid', 'InvalidInput', `body.${name}: is required here`, {
    errors: [{ path: `body.${name}`, message: 'is required here' }],
  })
}
