import { useQuery } from '@tanstack/react-query'
import { useOutletContext } from 'react-router'
import { trestle } from '../platform/client.js'

export const CHAINS = ['eth', 'etc'] as const
export type Chain = (typeof CHAINS)[number]

export function isChain(name: string): name is Chain {
  return (CHAINS as readonly string[]).includes(name)
}

/** The chain whose pages these are. */
export function useChain() {
  const chain = useOutletContext<Chain>()
  return { chain, unit: chain.toUpperCase(), api: trestle[chain], at: (path = '') => pathOf(chain, path) }
}

/** Where the pages of a chain stand. */
export function pathOf(chain: string, path = ''): string {
  return `/app/ethereum/${chain}${path}`
}

export function projectsOf(chain: Chain) {
  return ['ethereum', 'projects', chain]
}

export function useProjects() {
  const { chain, api } = useChain()
  return useQuery({ queryKey: projectsOf(chain), queryFn: () => api.projects.list(), refetchInterval: 30_000 })
}
