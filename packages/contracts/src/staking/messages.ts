import { z } from 'zod'
import { broadcast } from '../message.js'

/** An owner wants something of a validator: whoever sees to them need not wait for the next look. */
export const validatorChangeRequested = broadcast({
  subject: '*.validator.wanted',
  payload: z.object({ chain: z.string() }),
})
