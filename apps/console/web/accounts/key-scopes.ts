import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { type Permission, permissionsOfScope, Scope } from '@trestle/contracts/permissions'
import { keysTexts } from '../texts/keys.js'

type Scopes = readonly Scope[]

/** The permissions that one can choose one by one, by area. */
export const AREA_PERMISSIONS = CLIENT_AREAS.map((area) => ({ area, permissions: permissionsOfScope(area) }))

/** In the order of the contract, without what a whole area covers. */
export function scopesAmong(chosen: readonly string[]): Scope[] {
  const areas = CLIENT_AREAS.filter((area) => chosen.includes(area))
  const covered = new Set<string>(areas.flatMap(permissionsOfScope))
  return Scope.options.filter((scope) => chosen.includes(scope) && !covered.has(scope))
}

/** What a key may do, area by area: everything, or some things. */
export function describeScopes(scopes: Scopes): string[] {
  return AREA_PERMISSIONS.flatMap(({ area, permissions }) => {
    const name = keysTexts.area[area]
    if (scopes.includes(area)) return [name]
    const verbs = permissions.filter((permission) => scopes.some((scope) => scope === permission)).map(verbOf)
    return verbs.length > 0 ? [`${name}: ${verbs.join(', ')}`] : []
  })
}

function verbOf(permission: Permission): string {
  const verbs: Partial<Record<Permission, string>> = keysTexts.verbs
  return verbs[permission] ?? permission
}
