import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { TimeInput, Timestamp } from '../fields.js'

const Count = z.int().min(0)

export const NodeUsage = z
  .object({
    from: Timestamp,
    to: Timestamp,
    usage: z.array(
      z.object({
        time: Timestamp.meta({ description: 'The start of the hour (UTC).' }),
        method: z.string(),
        calls: Count,
        errors: Count,
        bytesOut: Count,
      }),
    ),
  })
  .meta({ id: 'NodeUsage' })
export type NodeUsage = z.infer<typeof NodeUsage>

const query = z.object({
  from: TimeInput.optional().meta({
    description: 'By default 24 hours before `to`, at most 31 days. The hour it falls in is included as a whole.',
  }),
  to: TimeInput.optional().meta({ description: 'By default now.' }),
})
const one = { method: 'GET', access: can('nodes:read'), query, status: 200, reply: NodeUsage } as const
const SUMMARY = 'Calls by method and hour, oldest first. Calls are included after about a second.'

export const workloadUsage = {
  ofNode: endpoint({
    ...one,
    path: '/users/me/nodes/{id}/usage',
    summary: SUMMARY,
    params: z.object({ id: z.string() }),
    problems: ['UnknownNode', 'InvalidRange'],
  }),
  ofCluster: endpoint({
    ...one,
    path: '/users/me/clusters/{id}/usage',
    summary: SUMMARY,
    params: z.object({ id: z.string() }),
    problems: ['UnknownCluster', 'InvalidRange'],
  }),
}
