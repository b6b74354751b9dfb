import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { BITCOIN_FAMILY } from '../chains/bitcoin-family.js'
import type { BitcoinRecord, EvmRecord } from '../chains/chain.js'
import { EVM_FAMILY } from '../chains/evm.js'
import { idOf, Timestamp } from '../fields.js'

// What nodes and clusters have in common.

type ImageOf<Record> = Record extends { nodes: { images: readonly (infer Name extends string)[] } } ? Name : never
type ImageIn<Family> = ImageOf<Family[keyof Family]>

/** In each family, main networks come first. */
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

/** The desired state; `phase` is the observed one. */
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
    reason: z.string().meta({ description: 'A code, for programs.' }),
    message: z.string().meta({ description: 'A sentence, for people.' }),
    since: Timestamp,
  })
  .meta({ id: 'NodeCondition' })
export type Condition = z.infer<typeof Condition>

/** The observed state of the chain in a node. */
export const NodeObservation = z
  .object({
    height: z.int().nullable(),
    lag: z.int().nullable().meta({ description: 'Blocks between its height and the highest it knows of.' }),
    progress: z.number().min(0).max(1).nullable().meta({ description: 'The part of the chain it has, from 0 to 1.' }),
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

/** Members that nodes and clusters have in a list. */
export const listingMembers = {
  user: z.string().meta({ description: 'Who created it.' }),
  organization: OrganizationId.optional().meta({ description: 'The organization that owns it.' }),
  chain: z.string(),
  network: z.string(),
  state: DesiredState,
  service: ServiceId,
  ip: z.string(),
  ttl: z.string().regex(/^\d+$/).meta({ description: 'When it will be stopped automatically, in seconds since 1970.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: When,
  stoppedAt: When,
  purgeAt: Timestamp.optional().meta({ description: 'Of a removed one: when its data is deleted. Until then it can be restored.' }),
  serviceData: z.object({ amiPrefix: z.string(), performance: NodePerformance, software: z.string(), ports: z.array(z.int()) }),
  userPlanData: z.object({ id: idOf('user-plan'), plan: idOf('plan'), startsAt: Timestamp, expiresAt: Timestamp }),
  vendor: Vendor,
  auth: Auth,
  url: z.string().meta({ description: 'Its JSON-RPC endpoint.' }),
  allowedIps: z.array(z.string()).meta({ description: 'Addresses that may call it; empty: any.' }),
  phase: NodePhase,
  conditions: z.array(Condition),
}

/** Members of a creation reply only. */
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

/** Options at creation. */
export const creationOptions = {
  ttl: Lifetime.optional().meta({ description: 'Seconds until it is stopped automatically; by default until the plan ends.' }),
  allowedIps: z.array(AllowedIp).max(100).default([]),
}

export const NodeStatus = z
  .object({
    state: DesiredState,
    phase: NodePhase,
    conditions: z.array(Condition),
    ...NodeObservation.shape,
    asOf: When.meta({ description: 'When it was last observed.' }),
  })
  .meta({ id: 'NodeStatus' })

export const LogLines = z.object({ lines: z.array(z.string()) }).meta({ id: 'NodeLogLines' })

export const settingsMembers = {
  allowedIps: z.array(AllowedIp).max(100).optional(),
  ttl: Lifetime.optional().meta({ description: 'Seconds from now until it is stopped automatically.' }),
}
export const NodeSettings = z.object(settingsMembers).meta({ id: 'NodeSettings' })

/** `?purge=true` skips the bin. */
export const RemovalQuery = z.object({ purge: z.stringbool().default(false).meta({ type: 'boolean' }) })

/** `?all=true` includes removed ones. */
export const ListQuery = z.object({ all: z.stringbool().default(false).meta({ type: 'boolean' }) })
