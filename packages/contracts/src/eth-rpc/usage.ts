import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { LATENCY_BOUNDS_MS, LATENCY_BUCKETS } from './latency.js'
import { ProjectParams } from './projects.js'

const Count = z.int().min(0)
const Milliseconds = z.number().min(0).nullable()

const Latency = z
  .object({
    p50: Milliseconds,
    p95: Milliseconds,
    p99: Milliseconds,
    counts: z
      .array(Count)
      .length(LATENCY_BUCKETS)
      .meta({
        description: `Calls that took less than ${LATENCY_BOUNDS_MS.join(', ')} ms, each without those before; the last are all others.`,
      }),
  })
  .meta({
    id: 'Latency',
    description:
      'How long calls took here, from when a call was read until its answer was there; estimated from counts, so within a factor of two. Of calls refused for a limit, and of what subscriptions tell, there is none.',
  })

export const MethodUsage = z
  .object({
    time: Timestamp.meta({ description: 'When the hour or day (UTC) begins.' }),
    method: z.string(),
    calls: Count,
    errors: Count,
    computeUnits: Count,
    bytesOut: Count,
    cacheHits: Count,
    latency: Latency,
  })
  .meta({ id: 'MethodUsage' })
export type MethodUsage = z.infer<typeof MethodUsage>

export const usage = {
  list: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/usage',
    summary:
      'What was called, by method and by hour (at most 7 days) or by day (at most 100), oldest first; the last 24 hours unless asked otherwise. Calls are in it after about a second, and for 13 months.',
    access: 'client',
    params: ProjectParams,
    query: z.object({
      from: Timestamp.optional().meta({ description: 'By default 24 hours before `to`. The hour or day it falls in is told as a whole.' }),
      to: Timestamp.optional().meta({ description: 'By default now; what begins then or later is not told.' }),
      granularity: z.enum(['hour', 'day']).default('hour'),
    }),
    status: 200,
    reply: z
      .object({ from: Timestamp, to: Timestamp, granularity: z.enum(['hour', 'day']), usage: z.array(MethodUsage) })
      .meta({ id: 'ProjectUsage' }),
    problems: ['UnknownProject', 'InvalidRange'],
  }),
}
