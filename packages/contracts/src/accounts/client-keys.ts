import { z } from 'zod'
import { CLIENT_AREAS } from '../areas.js'
import { canInPerson, endpoint } from '../endpoint.js'
import { idOf, TimeInput, Timestamp } from '../fields.js'

export const ClientId = idOf('client')
const Scopes = z.array(z.enum(CLIENT_AREAS)).min(1).max(CLIENT_AREAS.length)

const KeyOptions = z
  .object({
    name: z.string().trim().min(1).max(100).optional(),
    expiresAt: TimeInput.optional(),
    /** The areas that its tokens give access to; by default all. */
    scopes: Scopes.optional(),
  })
  .meta({ id: 'ClientKeyOptions' })

const described = { name: z.string().optional(), expiresAt: Timestamp.optional(), scopes: Scopes }

export const ClientKey = z
  .object({ id: ClientId, createdAt: Timestamp, ...described, lastUsedAt: Timestamp.optional() })
  .meta({ id: 'ClientKey' })
export type ClientKey = z.infer<typeof ClientKey>

/** Interface 2.2: the only reply that contains the secret. */
export const NewClientKey = z
  .object({ clientId: ClientId, clientSecret: z.string(), createdAt: Timestamp, ...described })
  .meta({ id: 'NewClientKey' })
export type NewClientKey = z.infer<typeof NewClientKey>

export const clientKeys = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/client-keys',
    creates: true,
    summary: 'Create a client key. Its secret is returned only once.',
    access: canInPerson('keys:write'),
    audit: 'key-created',
    body: KeyOptions.optional(),
    status: 200,
    reply: NewClientKey,
    problems: ['LimitExceeded', 'TooManyRequests'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/client-keys',
    summary: 'Your client keys, newest first, without their secrets.',
    access: canInPerson('keys:read'),
    status: 200,
    reply: z.array(ClientKey),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/me/client-keys/{id}',
    summary: 'Delete a client key. Its refresh tokens are revoked at once, its access tokens everywhere within 2 seconds.',
    access: canInPerson('keys:write'),
    audit: 'key-deleted',
    params: z.object({ id: z.string().max(100) }),
    status: 204,
    problems: ['UnknownClientKey'],
  }),
}
