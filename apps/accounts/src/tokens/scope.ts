import { type Permission, permissionsOfScope, Scope } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'

/** The scopes of a new token: those requested (RFC 6749 section 3.3), which the allowed ones must cover, or all of them. */
export function requestedScopes(requested: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  const names = requested?.split(' ').filter(Boolean) ?? []
  if (names.length === 0) return allowed
  const scopes = scopesAmong(names)
  if (scopes.length < new Set(names).size || !scopes.every((scope) => isCovered(scope, allowed)))
    throw new Problem('invalid', 'InvalidScope', `The scopes of this client are: ${allowed.join(' ')}.`)
  return scopes
}

/** The scopes of a refresh token that its client still has, whole or in part. */
export function remainingScopes(scope: string, allowed: readonly Scope[]): readonly Scope[] {
  const scopes = scopesAmong(scope.split(' '))
  const left = [...scopes.filter((each) => isCovered(each, allowed)), ...allowed.filter((each) => isCovered(each, scopes))]
  return scopesAmong(left)
}

function scopesAmong(names: readonly string[]): Scope[] {
  return Scope.options.filter((scope) => names.includes(scope))
}

/** Whether other scopes permit everything that this one does. */
function isCovered(scope: Scope, by: readonly Scope[]): boolean {
  const permitted = new Set<Permission>(by.flatMap((each) => permissionsOfScope(each)))
  return permissionsOfScope(scope).every((permission) => permitted.has(permission))
}
