import type { Activity } from '@trestle/contracts/activity'
import type { ProjectCounts } from './meter.js'
import { total } from './sums.js'

export interface Span {
  readonly id: string
  readonly service: string
  readonly from: Date
  readonly to: Date
}

/** One record for all calls of a project in a moment: a call is too short to have its own. Of the credential only its end is told. */
export function activityOf({ project, methods }: ProjectCounts, { id, service, from, to }: Span): Activity {
  const { calls, errors, computeUnits, bytesOut, cacheHits } = total(methods)
  return {
    id: `event-${id}`,
    user: project.ownerId,
    service,
    input: { method: 'POST', route: '/v1/{projectId}', params: { projectId: `...${project.id.slice(-4)}` }, query: {} },
    output: { startTime: from.toISOString(), endTime: to.toISOString(), httpStatusCode: 200, bytesOut },
    serviceData: {
      calls,
      errors,
      computeUnits,
      cacheHits,
      methods: Object.fromEntries(methods.map((sums) => [sums.method, sums.calls])),
    },
    createdAt: to.toISOString(),
  }
}
