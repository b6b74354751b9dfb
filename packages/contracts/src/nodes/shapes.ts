import { z } from 'zod'
import { BITCOIN_FAMILY } from '../chains/bitcoin-family.js'
import type { BitcoinRecord, EvmRecord } from '../chains/chain.js'
import { EVM_FAMILY } from '../chains/evm.js'
import { idOf, Timestamp } from '../fields.js'

// What nodes and clusters have in common.

type ImageOf<Record> = Record extends { nodes: { images: readonly (infer Name extends string)[] } } ? Name : never
type ImageIn<Family> = ImageOf<Family[keyof Family]>

/** Of each family the main networks first. */
export const IMAGES = [...imagesIn(BITCOIN_FAMILY), ...imagesIn(EVM_FAMILY)]
export const Image = z.enum(IMAGES)
export type Image = z.infer<typeof Image>

function imagesIn<Family extends Readonly<Record<string, BitcoinRecord | EvmRecord>>>(family: Family): ImageIn<Family>[] {
  const images = Object.values(family).map(({ nodes }) => nodes?.images ?? [])
  return [0, 1].flatMap((place) => images.flatMap((all) => all.slice(place, place + 1))) as ImageIn<Family>[]
}

export const NodeId = idOf('node')
export const ClusterId = idOf('cluster')
export const ServiceId = idOf('service')

export const NODE_PERFORMANCES = ['standard', 'large'] as const
export const NodePerformance = z.enum(NODE_PERFORMANCES)
export type NodePerformance = z.infer<typeof NodePerformance>

/** What is wanted of it; how far that is, `phase` tells. */
export const DesiredState = z.enum(['started', 'stopped', 'removed'])
export type DesiredState = z.infer<typeof DesiredState>

export const NODE_PHASES = [
  ...(['pending', 'starting', 'syncing', 'ready', 'degraded', 'updating'] as const),
  ...(['stopping', 'stopped', 'removing', 'failed'] as const),
] as const
export const NodePhase = z.enum(NODE_PHASES)
export type NodePhase = z.infer<typeof NodePhase>

export const CONDITION_TYPES = ['Provisioned', 'Reachable', 'Synced', 'Healthy', 'StorageOk'] as const
export const Condition = z
  .object({
    type: z.enum(CONDITION_TYPES),
    status: z.enum(['true', 'false', 'unknown']),
    reason: z.string().meta({ description: 'One word, for programs.' }),
    message: z.string().meta({ description: 'One sentence, for people: what it waits for, or what is wrong.' }),
    since: Timestamp,
  })
  .meta({ id: 'NodeCondition' })
export type Condition = z.infer<typeof Condition>

/** What was seen of a chain in a node. */
export const NodeObservation = z
  .object({
    height: z.int().nullable(),
    lag: z.int().nullable().meta({ description: 'Blocks that it knows of and has not yet.' }),
    progress: z.number().min(0).max(1).nullable().meta({ description: 'How much of the chain it has; 1: all.' }),
    peers: z.int().nullable(),
    diskBytes: z.int().nullable(),
  })
  .meta({ id: 'NodeSight' })
export type NodeObservation = z.infer<typeof NodeObservation>

export const AuthType = z.enum(['basic', 'jwt'])
export const ClusterAuthType = z.enum(['basic', 'jwt', 'none'])
export type ClusterAuthType = z.infer<typeof ClusterAuthType>

const Auth = z.object({ type: ClusterAuthType, user: z.string().optional(), pass: z.string().optional() }).meta({ id: 'NodeAuth' })

const Vendor = z
  .object({
    name: z.string(),
    subnet: z.string(),
    securityGroups: z.array(z.string()),
    region: z.string(),
    instanceType: z.string(),
    quickSync: z.boolean(),
  })
  .meta({ id: 'NodeVendor' })

const When = Timestamp.nullable()

/** Members of the listing shape of nodes; clusters have them too. */
export const listingMembers = {
  user: z.string(),
  chain: z.string(),
  network: z.string(),
  state: DesiredState,
  service: ServiceId,
  ip: z.string(),
  ttl: z.string().regex(/^\d+$/).meta({ description: 'When it is stopped by itself, in seconds since 1970.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: When,
  stoppedAt: When,
  serviceData: z.object({ amiPrefix: z.string(), performance: NodePerformance, software: z.string(), ports: z.array(z.int()) }),
  userPlanData: z.object({ id: idOf('user-plan'), plan: idOf('plan'), startsAt: Timestamp, expiresAt: Timestamp }),
  vendor: Vendor,
  auth: Auth,
  url: z.string().meta({ description: 'Where it is called.' }),
  allowedIps: z.array(z.string()).meta({ description: 'Who may call it; empty: anybody with its credentials.' }),
  phase: NodePhase,
  conditions: z.array(Condition),
}

/** Members of the creation shape. */
export const creationMembers = {
  image: Image,
  version: z.string(),
  nodeUser: z.string(),
  nodePass: z.string(),
}

export const AllowedIp = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address or a range of addresses, such as 10.0.0.0/8',
)

const Lifetime = z
  .int()
  .min(60)
  .max(10 * 366 * 86_400)

/** What may be asked for at creation apart from what it is to be. */
export const creationOptions = {
  ttl: Lifetime.optional().meta({ description: 'Seconds until it is stopped by itself; by default when the plan ends.' }),
  allowedIps: z.array(AllowedIp).max(100).default([]),
}

export const NodeStatus = z
  .object({
    state: DesiredState,
    phase: NodePhase,
    conditions: z.array(Condition),
    ...NodeObservation.shape,
    asOf: When.meta({ description: 'When it was last looked at.' }),
  })
  .meta({ id: 'NodeStatus' })

export const LogLines = z.object({ lines: z.array(z.string()) }).meta({ id: 'NodeLogLines' })

export const settingsMembers = {
  allowedIps: z.array(AllowedIp).max(100).optional(),
  ttl: Lifetime.optional().meta({ description: 'Seconds from now until it is stopped by itself.' }),
}
export const NodeSettings = z.object(settingsMembers).meta({ id: 'NodeSettings' })

/** `?all=true`: those that were removed too. */
export const ListQuery = z.object({ all: z.stringbool().default(false).meta({ type: 'boolean' }) })
