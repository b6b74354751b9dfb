import { useQuery } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { platformClient } from './client.js'
import { currentOrganization } from './organization-choice.engine.js'

export const ORGANIZATIONS = ['accounts', 'organizations']

export function useOrganizations() {
  return useQuery({ queryKey: ORGANIZATIONS, queryFn: () => platformClient.accounts.organizations.list(), staleTime: 60_000 })
}

/** The organization that the pages are about, once it is known. */
export function useChosenOrganization(): Organization | undefined {
  const { data } = useOrganizations()
  const chosen = currentOrganization()
  return data?.find(({ id, personal }) => (chosen === undefined ? personal : id === chosen))
}
