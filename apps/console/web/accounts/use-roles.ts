import { useQuery } from '@tanstack/react-query'
import type { RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { platformClient } from '../platform/client.js'
import { BUILT_IN_ROLES } from './roles.js'

export const rolesOf = (organizationId: string) => ['accounts', 'organizations', organizationId, 'roles']

/** The roles of an organization: first those that every one has, then also its own. */
export function useRoles(organizationId: string): readonly RoleDefinition[] {
  const { data = BUILT_IN_ROLES } = useQuery({
    queryKey: rolesOf(organizationId),
    queryFn: () => platformClient.accounts.organizations.roles({ params: { id: organizationId } }),
    refetchInterval: 30_000,
  })
  return data
}
