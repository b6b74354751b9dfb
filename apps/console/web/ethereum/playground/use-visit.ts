import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Chain } from '../chain.js'
import type { Exchange } from './rpc.js'

const MOST = 50

/** What was asked since the page was opened. It is nowhere but in memory, and goes with whoever signs out. */
export function useVisit(chain: Chain) {
  const client = useQueryClient()
  const queryKey = ['ethereum', 'visit', chain]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: (): Exchange[] => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (exchange: Exchange) => client.setQueryData<Exchange[]>(queryKey, (before = []) => [exchange, ...before].slice(0, MOST))
  return { exchanges: data, add }
}
