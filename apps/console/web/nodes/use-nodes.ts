import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NodeStatusInList } from '@trestle/contracts/nodes/nodes'
import type { NodePhase } from '@trestle/contracts/nodes/shapes'
import { platformClient } from '../platform/client.js'
import { isTransitional, type NodeOrClusterKind } from './workload.js'

const SOON_MS = 2000
const STEADY_MS = 10_000

export function useNodes() {
  return useQuery({
    queryKey: ['nodes', 'node', 'list'],
    queryFn: () => platformClient.nodes.nodes.list(),
    refetchInterval: ({ state }) => pace(state.data?.map(({ phase }) => phase)),
  })
}

export function useClusters() {
  return useQuery({
    queryKey: ['nodes', 'cluster', 'list'],
    queryFn: () => platformClient.nodes.clusters.list(),
    refetchInterval: ({ state }) => pace(state.data?.map(({ phase }) => phase)),
  })
}

export function useNode(id: string) {
  return useQuery({
    queryKey: ['nodes', 'node', 'one', id],
    queryFn: () => platformClient.nodes.nodes.get({ params: { id } }),
    refetchInterval: ({ state }) => pace(state.data && [state.data.phase]),
  })
}

export function useCluster(id: string) {
  return useQuery({
    queryKey: ['nodes', 'cluster', 'one', id],
    queryFn: () => platformClient.nodes.clusters.get({ params: { id } }),
    refetchInterval: ({ state }) => pace(state.data && [state.data.phase]),
  })
}

/** The status of each node in the list, by its id. */
export function useNodeStatuses() {
  return useQuery({
    queryKey: ['nodes', 'node', 'statuses'],
    queryFn: () => platformClient.nodes.nodes.statuses(),
    select: byId,
    refetchInterval: ({ state }) => pace(state.data?.map(({ phase }) => phase)),
  })
}

export function useNodeStatus(id: string) {
  return useQuery({
    queryKey: ['nodes', 'node', 'status', id],
    queryFn: () => platformClient.nodes.nodes.status({ params: { id } }),
    refetchInterval: ({ state }) => pace(state.data && [state.data.phase]),
  })
}

export function useClusterStatus(id: string) {
  return useQuery({
    queryKey: ['nodes', 'cluster', 'status', id],
    queryFn: () => platformClient.nodes.clusters.status({ params: { id } }),
    refetchInterval: ({ state }) => pace(state.data && [state.data.phase, ...state.data.members.map(({ phase }) => phase)]),
  })
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
  const afresh = () => client.invalidateQueries({ queryKey: ['nodes', kind] })
  return {
    start: () => calls.start({ params }).then(afresh),
    stop: () => calls.stop({ params }).then(afresh),
    rotate: () => calls.rotateCredentials({ params }).then(afresh),
    change: (body: { allowedIps?: string[]; ttl?: number }) => calls.change({ params, body }).then(afresh),
    remove: () => calls.remove({ params }).then(() => client.invalidateQueries({ queryKey: ['nodes', kind, 'list'] })),
  }
}

function byId(statuses: readonly NodeStatusInList[]): ReadonlyMap<string, NodeStatusInList> {
  return new Map(statuses.map((status) => [status.id, status]))
}

/** Polls often while something changes, seldom otherwise. */
function pace(phases: readonly NodePhase[] | undefined): number {
  return phases?.some(isTransitional) ? SOON_MS : STEADY_MS
}
