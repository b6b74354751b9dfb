import { z } from 'zod'
import { broadcast } from '../message.js'

/** An owner requested a change of a validator: the lifecycle job runs at once instead of at its next interval. */
export const validatorChangeRequested = broadcast({
  subject: '*.validator.changed',
  payload: z.object({ chain: z.string() }),
  publishedBy: ['staking'],
})
