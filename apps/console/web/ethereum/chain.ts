import { useQuery } from '@tanstack/react-query'
import { CHAIN_NAME, unitOf } from '@trestle/contracts/chains/chains'
import { useOutletContext } from 'react-router'
import { trestle } from '../platform/client.js'

export type Chain = string

/** Whether it could be one: which there are, the platform says. */
export function isChain(name: string): boolean {
  return CHAIN_NAME.test(name)
}

/** The chain whose pages these are. */
export function useChain() {
  const chain = useOutletContext<Chain>()
  return { chain, unit: unitOf(chain), api: trestle.evm(chain), at: (path = '') => pathOf(chain, path) }
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
