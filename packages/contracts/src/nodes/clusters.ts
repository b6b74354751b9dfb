import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Idempotent, queryInteger } from '../fields.js'
import {
  ClusterAuthType,
  ClusterId,
  creationMembers,
  creationOptions,
  DesiredState,
  Image,
  ListQuery,
  LogLines,
  listingMembers,
  NodeId,
  NodeObservation,
  NodePhase,
  NodeStatus,
  ServiceId,
  settingsMembers,
} from './shapes.js'

const Capacity = z.int().min(2).max(10)
const Alias = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be small letters, digits and hyphens, 63 at most')

const members = {
  name: z.string(),
  alias: z.string().nullable(),
  domain: z.string(),
  capacity: Capacity,
  region: z.string(),
  healthCount: z.int().meta({ description: 'How many of its nodes can be called now.' }),
  updatingService: ServiceId.nullable(),
}

export const Cluster = z.object({ id: ClusterId, ...listingMembers, ...members }).meta({ id: 'Cluster' })
export type Cluster = z.infer<typeof Cluster>

export const CreatedCluster = z.object({ id: ClusterId, ...listingMembers, ...members, ...creationMembers }).meta({ id: 'CreatedCluster' })
export type CreatedCluster = z.infer<typeof CreatedCluster>

const more = { ...creationOptions, capacity: Capacity.default(2), alias: Alias.optional() }
const byImage = z.object({ image: Image, large: z.boolean().default(false), jwt: z.boolean().default(false), ...more })
const byService = z.object({ serviceId: ServiceId, authType: ClusterAuthType.default('basic'), ...more })

export const NewCluster = z.union([byImage, byService]).meta({ id: 'NewCluster' })
export type NewCluster = z.output<typeof NewCluster>

export const ClusterChange = z
  .object({ capacity: Capacity.optional(), serviceId: ServiceId.optional(), ...settingsMembers })
  .meta({ id: 'ClusterChange', description: 'A change of service or capacity is rolling: no call fails of it.' })
export type ClusterChange = z.output<typeof ClusterChange>

const Member = z.object({ id: NodeId, software: z.string(), phase: NodePhase, ...NodeObservation.shape }).meta({ id: 'ClusterMember' })

const params = z.object({ id: z.string() })
const one = { access: 'client', params, status: 200, problems: ['UnknownCluster'] } as const
const Removed = z.object({ id: ClusterId, state: DesiredState })

export const clusters = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/clusters',
    summary: 'Create a cluster: several nodes behind one address. With an `Idempotency-Key` it is created once.',
    access: 'client',
    headers: Idempotent,
    body: NewCluster,
    status: 200,
    reply: CreatedCluster,
    problems: ['ImageUnavailable', 'UnknownService', 'IdempotencyKeyReused', 'LimitExceeded', 'AliasTaken'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/clusters',
    summary: 'Your clusters, oldest first.',
    access: 'client',
    query: ListQuery,
    status: 200,
    reply: z.array(Cluster),
  }),
  get: endpoint({ ...one, method: 'GET', path: '/users/me/clusters/{id}', summary: 'One cluster of yours.', reply: Cluster }),
  change: endpoint({
    ...one,
    method: 'PATCH',
    path: '/users/me/clusters/{id}',
    summary: 'Change its service, its capacity, or who may call it.',
    body: ClusterChange,
    reply: Cluster,
    problems: ['UnknownCluster', 'UnknownService', 'ImageUnavailable', 'OtherChain', 'ClusterUpdating'],
  }),
  abortUpdate: endpoint({
    ...one,
    method: 'DELETE',
    path: '/users/me/clusters/{id}/updatingService',
    summary: 'Give a change of service up: back to the one it had.',
    reply: Cluster,
    problems: ['UnknownCluster', 'NothingUpdating'],
  }),
  setAlias: endpoint({
    ...one,
    method: 'POST',
    path: '/users/me/clusters/{id}/alias',
    summary: 'Give it a name that is yours alone.',
    body: z.object({ alias: Alias.nullable() }),
    reply: Cluster,
    problems: ['UnknownCluster', 'AliasTaken'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/users/me/clusters/{id}',
    summary: 'Remove it, and all its data. This cannot be taken back.',
    reply: Removed,
  }),
  stop: endpoint({
    ...one,
    method: 'POST',
    path: '/users/me/clusters/{id}/stop',
    summary: 'Stop its nodes; their data stays.',
    reply: Cluster,
  }),
  start: endpoint({
    ...one,
    method: 'POST',
    path: '/users/me/clusters/{id}/start',
    summary: 'Start its nodes again.',
    reply: Cluster,
    problems: ['UnknownCluster', 'Expired'],
  }),
  rotateCredentials: endpoint({
    ...one,
    method: 'POST',
    path: '/users/me/clusters/{id}/rotate-credentials',
    summary: 'A new user and password; the old ones are good for nothing within two seconds.',
    reply: Cluster,
  }),
  status: endpoint({
    ...one,
    method: 'GET',
    path: '/users/me/clusters/{id}/status',
    summary: 'How it is, and why; and each of its nodes.',
    reply: NodeStatus.extend({ members: z.array(Member) }).meta({ id: 'ClusterStatus' }),
  }),
  logs: endpoint({
    ...one,
    method: 'GET',
    path: '/users/me/clusters/{id}/logs',
    summary: 'The last lines that its nodes wrote, each after the id of its node.',
    query: z.object({ lines: queryInteger(1, 1000).default(100) }),
    reply: LogLines,
  }),
  all: endpoint({
    method: 'GET',
    path: '/clusters',
    summary: "Everybody's clusters.",
    access: 'manager',
    query: ListQuery,
    status: 200,
    reply: z.array(Cluster.omit({ auth: true })),
  }),
  removeAny: endpoint({
    method: 'DELETE',
    path: '/clusters/{id}',
    summary: "Remove anybody's cluster.",
    access: 'manager',
    params,
    status: 200,
    reply: Removed,
    problems: ['UnknownCluster'],
  }),
}
