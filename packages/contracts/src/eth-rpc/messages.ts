import { z } from 'zod'
import { broadcast, domainEvent, stateStream } from '../message.js'

const Serial = z.int().min(1)
/** Pairs of a project's serial number and compute units: nothing negative, which would raise a limit. */
const ComputeUnits = z.array(z.tuple([Serial, z.int().min(1)])).max(10_000)

/** A project was changed, rotated or deleted: replicas reload it. Identified by serial number, since the id is a credential. */
export const projectChanged = domainEvent({
  subject: '*.project.changed',
  stream: 'ETH_RPC',
  payload: z.object({ serial: Serial }),
  orderedBy: 'serial',
  publishedBy: ['eth-rpc'],
  subscribedBy: ['eth-rpc'],
})

/** Compute units that a process admitted and refused since its last message; also its heartbeat to the others of its deployment. */
export const computeUnitsSpent = broadcast({
  subject: '*.compute-unit.spent',
  payload: z.object({
    process: z.string().max(64),
    spent: ComputeUnits,
    /** The release before says nothing of it. */
    refused: ComputeUnits.default([]),
  }),
  publishedBy: ['eth-rpc'],
})

/** Calls that a process let through, of callers, methods and senders that had many of late. */
export const callsCounted = broadcast({
  subject: '*.call.counted',
  payload: z.object({
    process: z.string().max(64),
    /** What is counted (project and kind), for whom, and how many calls. */
    counted: z.array(z.tuple([z.string().max(150), z.string().max(100), z.int().min(1)])).max(2_000),
  }),
  publishedBy: ['eth-rpc'],
})

const MIB = 1024 * 1024

/** The filters of a deployment, by project and slot. One that nobody polls for five minutes expires, as with geth. */
export const filters = stateStream({
  stream: '*_FILTERS',
  subject: '*.filter.*.*',
  keptBy: ['eth-rpc'],
  maxAgeMs: 5 * 60_000,
  maxBytes: 1024 * MIB,
  /** A record with all the logs it may keep. */
  maxMessageBytes: MIB,
})
