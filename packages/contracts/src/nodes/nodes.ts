import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { can, endpoint } from '../endpoint.js'
import { Idempotent, queryInteger } from '../fields.js'
import {
  AuthType,
  creationMembers,
  creationOptions,
  DesiredState,
  Image,
  ListQuery,
  LogLines,
  listingMembers,
  NodeId,
  NodeSettings,
  NodeStatus,
  RemovalQuery,
  ServiceId,
} from './shapes.js'

const instance = { region: z.string(), id: z.string(), imageId: z.string() }

export const Node = z.object({ id: NodeId, ...listingMembers, instance: z.object(instance) }).meta({ id: 'Node' })
export type Node = z.infer<typeof Node>

export const CreatedNode = z
  .object({ id: NodeId, ...listingMembers, ...creationMembers, instance: z.object({ ...instance, vendor: z.string(), type: z.string() }) })
  .meta({ id: 'CreatedNode' })
export type CreatedNode = z.infer<typeof CreatedNode>

const byImage = z.object({ image: Image, large: z.boolean().default(false), jwt: z.boolean().default(false), ...creationOptions })
const byService = z.object({ serviceId: ServiceId, authType: AuthType.default('basic'), ...creationOptions })

export const NewNode = z.union([byImage, byService]).meta({ id: 'NewNode' })
export type NewNode = z.output<typeof NewNode>

export const NodeStatusInList = z.object({ id: NodeId, ...NodeStatus.shape }).meta({ id: 'NodeStatusInList' })
export type NodeStatusInList = z.infer<typeof NodeStatusInList>

const params = z.object({ id: z.string() })
const one = { params, status: 200, problems: ['UnknownNode'] } as const

export const nodes = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/nodes',
    creates: true,
    summary: 'Create a node. Requests with the same `Idempotency-Key` create one node.',
    access: can('nodes:create'),
    headers: Idempotent,
    body: NewNode,
    status: 200,
    reply: CreatedNode,
    problems: ['ImageUnavailable', 'UnknownService', 'IdempotencyKeyReused', 'LimitExceeded'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/nodes',
    summary: 'Your nodes, oldest first.',
    access: can('nodes:read'),
    query: ListQuery,
    status: 200,
    reply: z.array(Node),
  }),
  statuses: endpoint({
    method: 'GET',
    path: '/users/me/nodes/statuses',
    summary: 'The phase and conditions of each of your nodes, in the order of the list.',
    access: can('nodes:read'),
    query: ListQuery,
    status: 200,
    reply: z.array(NodeStatusInList),
  }),
  get: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/nodes/{id}',
    summary: 'One node of yours.',
    reply: Node,
  }),
  change: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'PATCH',
    path: '/users/me/nodes/{id}',
    summary: 'Change its allowed addresses or lifetime.',
    body: NodeSettings,
    reply: Node,
  }),
  remove: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'DELETE',
    path: '/users/me/nodes/{id}',
    stepUp: true,
    summary: 'Remove it. It can be restored with its data for 72 hours; `?purge=true` deletes the data at once, also of a removed one.',
    query: RemovalQuery,
    reply: z.object({ id: NodeId, state: DesiredState }),
  }),
  restore: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'POST',
    path: '/users/me/nodes/{id}/restore',
    summary: 'Take it out of the bin and start it, with its data, URL and credentials.',
    reply: Node,
    problems: ['UnknownNode', 'LimitExceeded', 'AliasTaken'],
  }),
  transfer: endpoint({
    ...one,
    access: can('nodes:delete'),
    method: 'PUT',
    path: '/users/me/nodes/{id}/organization',
    audit: 'ownership-transferred',
    stepUp: true,
    summary: 'Give it to another organization in which you may create nodes. Its URL, credentials and data stay.',
    body: z.object({ organization: OrganizationId }).meta({ id: 'NodeTransfer' }),
    reply: Node,
    problems: ['UnknownNode', 'UnknownOrganization', 'MissingPermission', 'LimitExceeded'],
  }),
  stop: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/nodes/{id}/stop',
    summary: 'Stop it. Its data is kept.',
    reply: Node,
  }),
  start: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/nodes/{id}/start',
    summary: 'Start it.',
    reply: Node,
    problems: ['UnknownNode', 'Expired'],
  }),
  rotateCredentials: endpoint({
    ...one,
    access: can('nodes:update'),
    method: 'POST',
    path: '/users/me/nodes/{id}/rotate-credentials',
    audit: 'credentials-rotated',
    summary: 'Replace its user and password. The old ones are refused within 2 seconds.',
    reply: Node,
  }),
  status: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/nodes/{id}/status',
    summary: 'Its phase and conditions.',
    reply: NodeStatus,
  }),
  logs: endpoint({
    ...one,
    access: can('nodes:read'),
    method: 'GET',
    path: '/users/me/nodes/{id}/logs',
    summary: 'Its last log lines.',
    query: z.object({ lines: queryInteger(1, 1000).default(100) }),
    reply: LogLines,
  }),
  all: endpoint({
    method: 'GET',
    path: '/nodes',
    summary: 'All nodes of all users.',
    access: 'manager',
    query: ListQuery,
    status: 200,
    reply: z.array(Node.omit({ auth: true })),
  }),
}
