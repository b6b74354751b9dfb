import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { platformClient } from './client.js'
import { chooseOrganization, currentOrganization } from './organization-choice.engine.js'
import { SESSION } from './use-session.js'

export const ORGANIZATIONS = ['accounts', 'organizations']

/** Those of the user, the personal one last. */
export function useOrganizations(refetchInterval?: number) {
  const queryFn = () => platformClient.accounts.organizations.list()
  return useQuery({ queryKey: ORGANIZATIONS, queryFn, staleTime: 60_000, refetchInterval })
}

/** The organization that the pages are about, once it is known. */
export function useChosenOrganization(): Organization | undefined {
  const { data } = useOrganizations()
  const chosen = currentOrganization()
  return data?.find(({ id, personal }) => (chosen === undefined ? personal : id === chosen))
}

/** Makes all pages about another organization; undefined: the one that the user has alone. */
export function useOrganizationChoice() {
  const client = useQueryClient()
  return async (id: string | undefined) => {
    chooseOrganization(id)
    // What is shown belongs to the other one.
    await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
  }
}
