import { z } from 'zod'
import { broadcast } from '../message.js'

/** The desired or observed state of a node or cluster changed: reconcilers and gateways reload it at once. One that misses this polls anyway. */
export const nodeChanged = broadcast({
  subject: '*.node.changed',
  payload: z.object({ id: z.string().max(60) }),
  publishedBy: ['nodes'],
})
