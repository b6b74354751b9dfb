import type { Activity } from '@trestle/contracts/activity'
import { total, type WorkloadSums } from './sums.js'

export interface Span {
  readonly id: string
  readonly from: Date
  readonly to: Date
}

/** One record for all calls of a workload in a moment: a call is too short to have its own. */
export function activityOf({ workload, methods }: WorkloadSums, { id, from, to }: Span): Activity {
  const { calls, errors, bytesOut } = total(methods)
  return {
    id: `event-${id}`,
    user: workload.userId,
    service: 'nodes',
    input: { method: 'POST', route: '/rpc/{id}', params: { id: workload.id }, query: {} },
    output: { startTime: from.toISOString(), endTime: to.toISOString(), httpStatusCode: 200, bytesOut },
    serviceData: { calls, errors, methods: Object.fromEntries(methods.map((sums) => [sums.method, sums.calls])) },
    createdAt: to.toISOString(),
  }
}
