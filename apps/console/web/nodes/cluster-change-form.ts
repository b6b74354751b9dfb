import { changeField, type FieldChange } from '../parts/form.js'
import { isAlias, isCapacity } from './workload-form.js'

interface ClusterState {
  readonly service: string
  readonly capacity: number
  readonly updatingService: string | null
}

export interface ClusterChangeForm {
  readonly serviceId: string
  /** Text where the field holds no number. */
  readonly capacity: number | string
}

export function clusterChangeForm({ service, capacity, updatingService }: ClusterState): ClusterChangeForm {
  return { serviceId: updatingService ?? service, capacity }
}

export function reduceClusterChange(form: ClusterChangeForm, event: FieldChange<ClusterChangeForm>): ClusterChangeForm {
  return changeField(form, event)
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

export function canRename(alias: string, current: string | null | undefined): boolean {
  return isAlias(alias) && alias !== (current ?? '')
}
