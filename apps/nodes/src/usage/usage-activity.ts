import type { Activity } from '@trestle/contracts/activity'
import { type HoldingSums, total } from './sums.js'

export interface Span {
  readonly id: string
  readonly from: Date
  readonly to: Date
}

/** One record for all calls of a holding in a moment: a call is too short to have its own. */
export function activityOf({ holding, methods }: HoldingSums, { id, from, to }: Span): Activity {
  const { calls, errors, bytesOut } = total(methods)
  return {
    id: `event-${id}`,
    user: holding.userId,
    service: 'nodes',
    input: { method: 'POST', route: '/rpc/{id}', params: { id: holding.id }, query: {} },
    output: { startTime: from.toISOString(), endTime: to.toISOString(), httpStatusCode: 200, bytesOut },
    serviceData: { calls, errors, methods: Object.fromEntries(methods.map((sums) => [sums.method, sums.calls])) },
    createdAt: to.toISOString(),
  }
}
