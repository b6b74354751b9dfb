import { z } from 'zod'
import { CLIENT_AREAS, type ClientArea } from './areas.js'

/** What a member of an organization, or a key of it, may do there; an endpoint names the one it needs. The part before the colon is not always an area. */
export const PERMISSIONS = {
  'organization:read': 'See the organization, its members and their roles.',
  'organization:write': 'Rename the organization, change its settings and its own roles.',
  'organization:delete': 'Dissolve the organization.',
  'members:write': 'Invite and remove members, change their roles.',
  'keys:read': 'See the keys and service accounts of the organization.',
  'keys:write': 'Create, change and delete keys and service accounts.',
  'activity:read': 'See what members and keys have done.',
  'billing:read': 'Read the billing report.',
  'staking:read': 'See validators, their performance and reports.',
  'staking:create': 'Create validators.',
  'staking:update': 'Change the fee recipient of validators.',
  'staking:exit': 'Exit validators.',
  'staking:delete': 'Delete and restore validators.',
  'nodes:read': 'See nodes and clusters.',
  'nodes:create': 'Create nodes and clusters.',
  'nodes:update': 'Change nodes and clusters, read and rotate their credentials.',
  'nodes:delete': 'Delete and restore nodes and clusters.',
  'nodes:call': 'Call nodes and clusters.',
  'eth:read': 'See Ethereum projects, their usage and failed calls.',
  'eth:write': 'Create, change and delete Ethereum projects.',
  'eth:call': 'Call the Ethereum API.',
  'btc:read': 'Query the Bitcoin APIs.',
  'btc:send': 'Broadcast Bitcoin transactions.',
} as const satisfies Record<`${string}:${string}`, string>
export type Permission = keyof typeof PERMISSIONS
export const Permission = z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])

/** What an organization may put under four eyes: what cannot be undone, where money goes, and who may do what. */
export const APPROVABLE_PERMISSIONS = [
  'members:write',
  'staking:exit',
  'staking:update',
  'staking:delete',
  'nodes:delete',
] as const satisfies readonly Permission[]
export type ApprovablePermission = (typeof APPROVABLE_PERMISSIONS)[number]

export const ALL_PERMISSIONS: readonly Permission[] = Permission.options
const READING = ALL_PERMISSIONS.filter((permission) => permission.endsWith(':read') && permission !== 'billing:read')
const CALLING = ['nodes:call', 'eth:call', 'btc:send'] as const satisfies readonly Permission[]
const DEVELOPING = [...READING, ...CALLING, 'keys:write', 'eth:write'] as const satisfies readonly Permission[]
const OPERATING = ALL_PERMISSIONS.filter((permission) => !isAdministrative(permission) && permission !== 'billing:read')

/** The roles that every organization has. The contract names who reads bills: an owner gives themself the role. */
export const ROLE_PERMISSIONS = {
  owner: ALL_PERMISSIONS.filter((permission) => permission !== 'billing:read'),
  admin: ALL_PERMISSIONS.filter((permission) => permission !== 'billing:read' && permission !== 'organization:delete'),
  operator: OPERATING,
  developer: DEVELOPING,
  viewer: READING,
  auditor: [...READING, 'billing:read'],
  billing: ['organization:read', 'billing:read'],
  /** Of the release before, in which organizations shared nothing but the bill. */
  member: ['organization:read'],
} as const satisfies Record<string, readonly Permission[]>

/** The permissions that a client key with the scope of a whole area has. Such keys are as old as the API. */
export const SCOPE_PERMISSIONS: Readonly<Record<ClientArea, readonly Permission[]>> = {
  staking: startingWith('staking:', 'billing:'),
  nodes: startingWith('nodes:'),
  'btc-connect': startingWith('btc:'),
  'eth-rpc': startingWith('eth:'),
}

/** What a client key may be given: an area, or a permission in one. */
export const Scope = z.enum([...CLIENT_AREAS, ...CLIENT_AREAS.flatMap((area) => SCOPE_PERMISSIONS[area])])
export type Scope = z.infer<typeof Scope>

export function permissionsOfScope(scope: Scope): readonly Permission[] {
  return isArea(scope) ? SCOPE_PERMISSIONS[scope] : [scope]
}

/** The areas whose APIs scopes open: the `aud` of a token. */
export function areasOfScopes(scopes: readonly Scope[]): ClientArea[] {
  return CLIENT_AREAS.filter((area) =>
    scopes.some((scope) => scope === area || SCOPE_PERMISSIONS[area].some((permission) => permission === scope)),
  )
}

/** The organization that a user has alone: its id follows from the user's, so that nobody has to ask for it. */
export function personalOrganizationOf(userId: string): string {
  return userId.replace(/^user-/, 'org-')
}

function isArea(scope: Scope): scope is ClientArea {
  return (CLIENT_AREAS as readonly string[]).includes(scope)
}

function isAdministrative(permission: Permission): boolean {
  return permission === 'organization:write' || permission === 'organization:delete' || permission === 'members:write'
}

function startingWith(...prefixes: string[]): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => prefixes.some((prefix) => permission.startsWith(prefix)))
}
