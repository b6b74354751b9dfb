import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { can, endpoint } from '../endpoint.js'
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
  RemovalQuery,
  ServiceId,
  settingsMembers,
} from './shapes.js'

const Capacity = z.int().min(2).max(10)
const Alias = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be at most 63 lower-case letters, digits and hyphens')

const members = {
  name: z.string(),
  alias: z.string().nullable(),
  domain: z.string(),
  capacity: Capacity,
  region: z.string(),
  healthCount: z.int().meta({ description: 'The number of nodes that accept calls.' }),
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
  .meta({ id: 'ClusterChange', description: 'A change of service or capacity is rolling: no call fails because of it.' })
export type ClusterChange = z.output<typeof ClusterChange>

const Member = z.object({ id: NodeId, software: z.string(), phase: NodePhase, ...NodeObservation.shape }).meta({ id: 'ClusterMember' })

const params = z.object({ id: z.string() })
const one = { params, status: 200, problems: ['UnknownCluster'] } as const
const Removed = z.object({ id: ClusterId, state: DesiredState })

export const clusters = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/clusters',
    creates: true,
    summary: 'Create a cluster: several nodes behind one URL. Requests with the same `Idempotency-Key` create one cluster.',
    access: can('nodes:create'),
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
    access: can('nodes:read'),
    query: ListQuery,
    status: 200,
    reply: z.array(Cluster),
  }),
  get: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/clusters/{id}',
    summary: 'One cluster of yours.',
    reply: Cluster,
  }),
  change: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'PATCH',
    path: '/users/me/clusters/{id}',
    summary: 'Change its service, capacity, allowed addresses or lifetime.',
    body: ClusterChange,
    reply: Cluster,
    problems: ['UnknownCluster', 'UnknownService', 'ImageUnavailable', 'OtherChain', 'ClusterUpdating'],
  }),
  abortUpdate: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'DELETE',
    path: '/users/me/clusters/{id}/updatingService',
    summary: 'Abort a change of service and go back to the previous one.',
    reply: Cluster,
    problems: ['UnknownCluster', 'NothingUpdating'],
  }),
  setAlias: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/clusters/{id}/alias',
    summary: 'Set its alias, which is unique among your clusters.',
    body: z.object({ alias: Alias.nullable() }),
    reply: Cluster,
    problems: ['UnknownCluster', 'AliasTaken'],
  }),
  remove: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'DELETE',
    path: '/users/me/clusters/{id}',
    stepUp: true,
    summary: 'Remove it. It can be restored with its data for 72 hours; `?purge=true` deletes the data at once, also of a removed one.',
    query: RemovalQuery,
    reply: Removed,
  }),
  restore: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'POST',
    path: '/users/me/clusters/{id}/restore',
    summary: 'Take it out of the bin and start it, with its data, URL and credentials.',
    reply: Cluster,
    problems: ['UnknownCluster', 'LimitExceeded', 'AliasTaken'],
  }),
  transfer: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'PUT',
    path: '/users/me/clusters/{id}/organization',
    audit: 'ownership-transferred',
    stepUp: true,
    summary: 'Give it to another organization in which you may create clusters. Its URL, credentials and data stay.',
    body: z.object({ organization: OrganizationId }).meta({ id: 'ClusterTransfer' }),
    reply: Cluster,
    problems: ['UnknownCluster', 'UnknownOrganization', 'MissingPermission', 'LimitExceeded'],
  }),
  stop: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/clusters/{id}/stop',
    summary: 'Stop its nodes. Their data is kept.',
    reply: Cluster,
  }),
  start: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/clusters/{id}/start',
    summary: 'Start its nodes.',
    reply: Cluster,
    problems: ['UnknownCluster', 'Expired'],
  }),
  rotateCredentials: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/clusters/{id}/rotate-credentials',
    audit: 'credentials-rotated',
    summary: 'Replace its user and password. The old ones are refused within 2 seconds.',
    reply: Cluster,
  }),
  status: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/clusters/{id}/status',
    summary: 'Its phase and conditions, and those of each of its nodes.',
    reply: NodeStatus.extend({ members: z.array(Member) }).meta({ id: 'ClusterStatus' }),
  }),
  logs: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/clusters/{id}/logs',
    summary: 'The last log lines of its nodes, each prefixed with the node id.',
    query: z.object({ lines: queryInteger(1, 1000).default(100) }),
    reply: LogLines,
  }),
  all: endpoint({
    method: 'GET',
    path: '/clusters',
    summary: 'All clusters of all users.',
    access: 'manager',
    query: ListQuery,
    status: 200,
    reply: z.array(Cluster.omit({ auth: true })),
  }),
  removeAny: endpoint({
    method: 'DELETE',
    path: '/clusters/{id}',
    stepUp: true,
    summary: 'Remove the cluster of any user.',
    access: 'manager',
    params,
    status: 200,
    reply: Removed,
    problems: ['UnknownCluster'],
  }),
}
