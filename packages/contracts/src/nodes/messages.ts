import { z } from 'zod'
import { broadcast } from '../message.js'

/** Something is wanted of a node or a cluster, or is known of it that was not: who looks after it or serves it looks now. Who missed it looks soon anyway. */
export const nodeChanged = broadcast({
  subject: '*.node.changed',
  payload: z.object({ id: z.string().max(60) }),
})
