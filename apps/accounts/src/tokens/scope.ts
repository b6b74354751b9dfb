import type { ClientArea } from '@trestle/contracts/areas'
import { Problem } from '@trestle/problem/problem'

/** The scopes of a new token: those requested (RFC 6749 section 3.3), which must be among the allowed ones, or all of them. */
export function requestedScopes(requested: string | undefined, allowed: readonly ClientArea[]): readonly ClientArea[] {
  const names = requested?.split(' ').filter(Boolean) ?? []
  if (names.length === 0) return allowed
  const refused = names.find((name) => !allowed.some((area) => area === name))
  if (refused !== undefined) throw new Problem('invalid', 'InvalidScope', `The scopes of this client are: ${allowed.join(' ')}.`)
  return allowed.filter((area) => names.includes(area))
}

/** The scopes of a refresh token that its client still has. */
export function remainingScopes(scope: string, allowed: readonly ClientArea[]): readonly ClientArea[] {
  const names = scope.split(' ')
  return allowed.filter((area) => names.includes(area))
}
