import { z } from 'zod'
import { canInPerson, endpoint } from '../endpoint.js'
import { idOf, TimeInput, Timestamp } from '../fields.js'
import { Scope } from '../permissions.js'
import { OrganizationId } from './organizations.js'
import { UserId } from './users.js'

export const ClientId = idOf('client')
const Scopes = z.array(Scope).min(1).max(Scope.options.length)
const AllowedIp = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address, or a range such as 192.0.2.0/24')
const MAX_GRACE_SECONDS = 7 * 24 * 3600

const settings = {
  name: z.string().trim().min(1).max(100),
  expiresAt: TimeInput,
  /** Areas, or permissions in them: what its tokens give access to; by default all areas. */
  scopes: Scopes,
  /** Requests a second, in each process of each service. */
  perSecond: z.int().min(1).max(10_000),
  /** Requests a day, by UTC, in each process of each service. */
  perDay: z.int().min(1).max(1_000_000_000),
  /** From where its tokens may be used; empty: from anywhere. */
  allowedIps: z.array(AllowedIp).max(16),
}
const Settings = z.object(settings).partial()

const KeyOptions = Settings.extend({
  serviceAccountId: UserId.optional().meta({ description: 'The service account that the key is of; by default it is yours.' }),
}).meta({ id: 'ClientKeyOptions' })

/** Null removes what was set. */
const KeyChange = z
  .object({
    name: settings.name.nullable(),
    expiresAt: settings.expiresAt.nullable(),
    scopes: settings.scopes,
    perSecond: settings.perSecond.nullable(),
    perDay: settings.perDay.nullable(),
    allowedIps: settings.allowedIps,
  })
  .partial()
  .meta({ id: 'ClientKeyChange' })

const described = {
  organizationId: OrganizationId.optional(),
  userId: UserId.optional().meta({ description: 'Whose key it is: a member or a service account of the organization.' }),
  name: z.string().optional(),
  expiresAt: Timestamp.optional(),
  scopes: Scopes,
  perSecond: z.int().optional(),
  perDay: z.int().optional(),
  allowedIps: z.array(z.string()).optional(),
}

export const ClientKey = z
  .object({
    id: ClientId,
    createdAt: Timestamp,
    ...described,
    lastUsedAt: Timestamp.optional(),
    lastUsedFrom: z.string().optional().meta({ description: 'The network that a token was last requested from.' }),
  })
  .meta({ id: 'ClientKey' })
export type ClientKey = z.infer<typeof ClientKey>

/** Interface 2.2: only this reply and that of a rotation contain the secret. */
export const NewClientKey = z
  .object({ clientId: ClientId, clientSecret: z.string(), createdAt: Timestamp, ...described })
  .meta({ id: 'NewClientKey' })
export type NewClientKey = z.infer<typeof NewClientKey>

const Id = z.object({ id: z.string().max(100) })

export const clientKeys = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/client-keys',
    stepUp: true,
    creates: true,
    summary: 'Create a client key. Its secret is returned only once.',
    access: canInPerson('keys:write'),
    audit: 'key-created',
    body: KeyOptions.optional(),
    status: 200,
    reply: NewClientKey,
    problems: ['LimitExceeded', 'TooManyRequests', 'UnknownServiceAccount', 'MissingRole'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/client-keys',
    summary: 'The client keys of the organization, newest first, without their secrets.',
    access: canInPerson('keys:read'),
    status: 200,
    reply: z.array(ClientKey),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/users/me/client-keys/{id}',
    summary: 'Change a client key. Access tokens from before end, unless only the name is changed; refresh tokens stay.',
    access: canInPerson('keys:write'),
    audit: 'key-changed',
    params: Id,
    body: KeyChange,
    status: 200,
    reply: ClientKey,
    problems: ['UnknownClientKey', 'NotYourKey', 'MissingRole'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/users/me/client-keys/{id}/rotate',
    stepUp: true,
    creates: true,
    summary: 'Give a client key another secret, returned only once. The one before stays valid for `graceSeconds`, by default not at all.',
    access: canInPerson('keys:write'),
    audit: 'key-changed',
    params: Id,
    body: z
      .object({ graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0) })
      .optional()
      .meta({ id: 'ClientKeyRotation' }),
    status: 200,
    reply: NewClientKey,
    problems: ['UnknownClientKey', 'NotYourKey', 'MissingRole', 'TooManyRequests'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/me/client-keys/{id}',
    summary: 'Delete a client key. Its refresh tokens are revoked at once, its access tokens everywhere within 2 seconds.',
    access: canInPerson('keys:write'),
    audit: 'key-deleted',
    params: Id,
    status: 204,
    problems: ['UnknownClientKey'],
  }),
}
