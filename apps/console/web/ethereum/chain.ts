import { useQuery } from '@tanstack/react-query'
import { unitOf } from '@trestle/contracts/chains/chains'
import { useOutletContext } from 'react-router'
import { platformClient } from '../platform/client.js'

/** The chain whose pages these are. */
export function useEthereumChain() {
  const chain = useOutletContext<string>()
  return { chain, unit: unitOf(chain), api: platformClient.evm(chain), at: (path = '') => ethereumPath(chain, path) }
}

/** The address of a chain's page. */
export function ethereumPath(chain: string, path = ''): string {
  return `/app/ethereum/${chain}${path}`
}

export function projectsOf(chain: string) {
  return ['ethereum', 'projects', chain]
}

export function useProjects() {
  const { chain, api } = useEthereumChain()
  return useQuery({ queryKey: projectsOf(chain), queryFn: () => api.projects.list(), refetchInterval: 30_000 })
}
