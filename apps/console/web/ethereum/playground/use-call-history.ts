import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Chain } from '../chain.js'
import type { PlaygroundCall } from './rpc.client.js'

const MAX_CALLS = 50

/** What was asked since the page was opened. It is nowhere but in memory, and goes with whoever signs out. */
export function useCallHistory(chain: Chain) {
  const client = useQueryClient()
  const queryKey = ['ethereum', 'visit', chain]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: (): PlaygroundCall[] => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (exchange: PlaygroundCall) =>
    client.setQueryData<PlaygroundCall[]>(queryKey, (before = []) => [exchange, ...before].slice(0, MAX_CALLS))
  return { exchanges: data, add }
}
