import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { isAlias, isCapacity } from './workload-form.js'

interface ClusterState {
  readonly service: string
  readonly capacity: number
  readonly updatingService: string | null
}

export interface AliasForm {
  readonly alias: string
}

export interface ClusterChangeForm {
  readonly serviceId: string
  /** Text where the field holds no number. */
  readonly capacity: number | string
}

export function clusterChangeForm({ service, capacity, updatingService }: ClusterState): ClusterChangeForm {
  return { serviceId: updatingService ?? service, capacity }
}

/** Only what differs from the cluster as it is. */
export function clusterChangeBody({ serviceId, capacity }: ClusterChangeForm, cluster: ClusterState) {
  return {
    ...(serviceId !== cluster.service && { serviceId }),
    ...(Number(capacity) !== cluster.capacity && { capacity: Number(capacity) }),
  }
}

export function canChangeCluster(form: ClusterChangeForm, cluster: ClusterState): boolean {
  return isCapacity(Number(form.capacity)) && Object.keys(clusterChangeBody(form, cluster)).length > 0
}

export function aliasForm({ alias }: Pick<Cluster, 'alias'>): AliasForm {
  return { alias: alias ?? '' }
}

export function canRename({ alias }: AliasForm, cluster: Pick<Cluster, 'alias'>): boolean {
  return isAlias(alias) && alias !== aliasForm(cluster).alias
}

/** An empty one is removed. */
export function aliasBody({ alias }: AliasForm): { alias: string | null } {
  return { alias: alias || null }
}
