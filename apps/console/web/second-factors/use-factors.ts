import { useQuery, useQueryClient } from '@tanstack/react-query'
import { platformClient } from '../platform/client.js'
import { SESSION } from '../platform/use-session.js'
import { IDENTITIES } from './use-identities.js'

export const SECOND_FACTORS = ['accounts', 'second-factors']

export function useSecondFactors() {
  return useQuery({ queryKey: SECOND_FACTORS, queryFn: () => platformClient.accounts.secondFactors.list() })
}

/** Call after a change: it may also have ended other sessions, and opened administration or closed it. */
export function useFactorsChange() {
  const client = useQueryClient()
  return async () => {
    await Promise.all(
      [SECOND_FACTORS, SESSION, IDENTITIES, ['accounts', 'sessions']].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
  }
}
