import { useQuery, useQueryClient } from '@tanstack/react-query'

import type { PlaygroundCall } from './rpc.client.js'

const MAX_CALLS = 50

/** Calls since the page was opened: in memory only, and forgotten at sign-out. */
export function useCallHistory(chain: string) {
  const client = useQueryClient()
  const queryKey = ['ethereum', 'calls', chain]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: (): PlaygroundCall[] => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (call: PlaygroundCall) =>
    client.setQueryData<PlaygroundCall[]>(queryKey, (before = []) => [call, ...before].slice(0, MAX_CALLS))
  return { calls: data, add }
}
