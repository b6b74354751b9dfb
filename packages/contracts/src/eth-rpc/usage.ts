import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { TimeInput, Timestamp } from '../fields.js'
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
        description: `Calls per latency bucket: less than ${LATENCY_BOUNDS_MS.join(', ')} ms, and all others.`,
      }),
  })
  .meta({
    id: 'Latency',
    description:
      'Latency of calls, from reading the call to having its response; estimated from the counts, within a factor of two. Rate-limited calls and subscription notifications are not included.',
  })

export const MethodUsage = z
  .object({
    time: Timestamp.meta({ description: 'The start of the hour or day (UTC).' }),
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

export const projectUsage = {
  list: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/usage',
    summary:
      'Calls by method and hour (at most 7 days) or day (at most 100), oldest first; by default the last 24 hours. Calls are included after about a second and kept for 13 months.',
    access: can('eth:read'),
    params: ProjectParams,
    query: z.object({
      from: TimeInput.optional().meta({
        description: 'By default 24 hours before `to`. The hour or day it falls in is included as a whole.',
      }),
      to: TimeInput.optional().meta({ description: 'By default now; exclusive.' }),
      granularity: z.enum(['hour', 'day']).default('hour'),
    }),
    status: 200,
    reply: z
      .object({ from: Timestamp, to: Timestamp, granularity: z.enum(['hour', 'day']), usage: z.array(MethodUsage) })
      .meta({ id: 'ProjectUsage' }),
    problems: ['UnknownProject', 'InvalidRange'],
  }),
}
