import { useQuery } from '@tanstack/react-query'
import { platformClient } from '../platform/client.js'

export const IDENTITIES = ['accounts', 'identities']

/** What identity providers call the user. */
export function useIdentities() {
  return useQuery({ queryKey: IDENTITIES, queryFn: () => platformClient.accounts.identities.list() })
}
