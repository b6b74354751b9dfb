import { z } from 'zod'
import { broadcast, domainEvent } from '../message.js'

const Serial = z.int().min(1)

/** A project was changed, rotated or deleted: whoever serves it reads it again. By its serial number, for its id is a credential. */
export const projectChanged = domainEvent({
  subject: '*.project.changed',
  stream: 'ETH_RPC',
  payload: z.object({ serial: Serial }),
})

/** What one process has let through since it told last, and that it is there: said every moment to the others of its deployment. */
export const computeUnitsSpent = broadcast({
  subject: '*.compute-unit.spent',
  payload: z.object({
    /** Whose. */
    process: z.string().max(64),
    /** Pairs of a project's serial number and compute units. */
    spent: z.array(z.tuple([Serial, z.int().min(1)])).max(10_000),
  }),
})
