import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NodePhase } from '@trestle/contracts/nodes/shapes'
import { platformClient } from '../platform/client.js'
import { isTransitional, type NodeOrClusterKind } from './workload.js'

const SOON_MS = 2000
const STEADY_MS = 10_000

type Phased = { readonly phase: NodePhase }

/** A query about nodes or clusters, repeated often while one of them changes. */
function usePhased<T>(key: readonly string[], queryFn: () => Promise<T>, phasesOf: (data: T) => readonly NodePhase[]) {
  return useQuery({
    queryKey: ['nodes', ...key],
    queryFn,
    refetchInterval: ({ state: { data } }) => (data !== undefined && phasesOf(data).some(isTransitional) ? SOON_MS : STEADY_MS),
  })
}

const phaseOf = ({ phase }: Phased) => [phase]
const phasesOf = (all: readonly Phased[]) => all.map(({ phase }) => phase)

export function useNodes() {
  return usePhased(['node', 'list'], () => platformClient.nodes.nodes.list(), phasesOf)
}

export function useClusters() {
  return usePhased(['cluster', 'list'], () => platformClient.nodes.clusters.list(), phasesOf)
}

export function useNode(id: string) {
  return usePhased(['node', 'one', id], () => platformClient.nodes.nodes.get({ params: { id } }), phaseOf)
}

export function useCluster(id: string) {
  return usePhased(['cluster', 'one', id], () => platformClient.nodes.clusters.get({ params: { id } }), phaseOf)
}

/** The status of each node in the list. */
export function useNodeStatuses() {
  return usePhased(['node', 'statuses'], () => platformClient.nodes.nodes.statuses(), phasesOf)
}

export function useNodeStatus(id: string) {
  return usePhased(['node', 'status', id], () => platformClient.nodes.nodes.status({ params: { id } }), phaseOf)
}

export function useClusterStatus(id: string) {
  const read = () => platformClient.nodes.clusters.status({ params: { id } })
  return usePhased(['cluster', 'status', id], read, ({ phase, members }) => [phase, ...phasesOf(members)])
}

export function usePlan() {
  return useQuery({ queryKey: ['nodes', 'plan'], queryFn: () => platformClient.nodes.plans.mine(), staleTime: 60_000 })
}

/** The catalogue. */
export function useServices(kind: NodeOrClusterKind) {
  const { nodeServices, clusterServices } = platformClient.nodes.catalogue
  return useQuery({
    queryKey: ['nodes', 'services', kind],
    queryFn: () => (kind === 'node' ? nodeServices() : clusterServices()),
    staleTime: 60_000,
  })
}

/** Actions on nodes and clusters; afterwards their queries are invalidated. */
export function useWorkloadActions(kind: NodeOrClusterKind, id: string) {
  const client = useQueryClient()
  const params = { id }
  const calls = kind === 'node' ? platformClient.nodes.nodes : platformClient.nodes.clusters
  const invalidate = () => client.invalidateQueries({ queryKey: ['nodes', kind] })
  return {
    start: () => calls.start({ params }).then(invalidate),
    stop: () => calls.stop({ params }).then(invalidate),
    rotate: () => calls.rotateCredentials({ params }).then(invalidate),
    change: (body: { allowedIps?: string[]; ttl?: number }) => calls.change({ params, body }).then(invalidate),
    remove: () => calls.remove({ params }).then(() => client.invalidateQueries({ queryKey: ['nodes', kind, 'list'] })),
    transfer: (organization: string) =>
      calls.transfer({ params, body: { organization } }).then(() => client.invalidateQueries({ queryKey: ['nodes', kind, 'list'] })),
  }
}
