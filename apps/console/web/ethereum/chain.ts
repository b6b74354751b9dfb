import { useQuery } from '@tanstack/react-query'
import { useOutletContext } from 'react-router'
import { platformClient } from '../platform/client.js'
import { useChain } from '../platform/use-chains.js'

/** The chain whose pages these are. */
export function useEthereumChain() {
  const chain = useOutletContext<string>()
  return { chain, ...useChain(chain), api: platformClient.evm(chain), at: (path = '') => ethereumPath(chain, path) }
}

/** The address of a chain's page. */
export function ethereumPath(chain: string, path = ''): string {
  return `/app/ethereum/${chain}${path}`
}

export function projectsOf(chain: string) {
  return ['ethereum', 'projects', chain]
}

/** How high you may set the limits of a project. */
export function useMaxLimits() {
  const { chain, api } = useEthereumChain()
  return useQuery({ queryKey: ['ethereum', 'max-limits', chain], queryFn: () => api.limits.mine() })
}

export function useProjects() {
  const { chain, api } = useEthereumChain()
  return useQuery({ queryKey: projectsOf(chain), queryFn: () => api.projects.list(), refetchInterval: 30_000 })
}
