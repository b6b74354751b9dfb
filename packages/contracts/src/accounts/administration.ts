import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Cursor, idOf, queryInteger, Timestamp } from '../fields.js'
import { EntityType, UserId } from './users.js'

export const ManagedUser = z
  .object({
    id: UserId,
    email: z.string(),
    displayName: z.string(),
    entityType: EntityType,
    createdAt: Timestamp,
    verifiedAt: Timestamp.optional(),
    disabledAt: Timestamp.optional(),
  })
  .meta({ id: 'ManagedUser' })
export type ManagedUser = z.infer<typeof ManagedUser>

export const SigningKey = z
  .object({
    kid: z.string(),
    family: z.enum(['account', 'client', 'refresh']),
    state: z.enum(['pending', 'active', 'retired', 'compromised']),
    createdAt: Timestamp,
  })
  .meta({ id: 'SigningKey' })
export type SigningKey = z.infer<typeof SigningKey>

export const Mail = z
  .object({
    id: idOf('mail'),
    recipient: z.string(),
    subject: z.string(),
    state: z.enum(['queued', 'sent', 'failed']),
    attempts: z.int(),
    lastError: z.string().optional(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Mail' })
export type Mail = z.infer<typeof Mail>

const Id = z.object({ id: z.string().max(100) })

export const administration = {
  users: endpoint({
    method: 'GET',
    path: '/users',
    summary: 'All users, newest first. A `Link: rel="next"` header leads to the next page.',
    access: 'manager',
    query: z.object({ limit: queryInteger(1, 200).optional(), cursor: Cursor.optional(), email: z.string().max(254).optional() }),
    status: 200,
    reply: z.array(ManagedUser),
    problems: ['InvalidCursor'],
  }),
  user: endpoint({
    method: 'GET',
    path: '/users/{id}',
    summary: 'One user.',
    access: 'manager',
    params: Id,
    status: 200,
    reply: ManagedUser,
    problems: ['UnknownUser'],
  }),
  disable: endpoint({
    method: 'POST',
    path: '/users/{id}/disable',
    summary: 'Disable a user. All their tokens and client keys are refused within 2 seconds.',
    access: 'manager',
    audit: 'user-disabled',
    params: Id,
    status: 200,
    reply: ManagedUser,
    problems: ['UnknownUser'],
  }),
  enable: endpoint({
    method: 'POST',
    path: '/users/{id}/enable',
    summary: 'Enable a disabled user.',
    access: 'manager',
    audit: 'user-enabled',
    params: Id,
    status: 200,
    reply: ManagedUser,
    problems: ['UnknownUser'],
  }),
  signingKeys: endpoint({
    method: 'GET',
    path: '/signing-keys',
    summary: 'The signing keys and their states.',
    access: 'manager',
    status: 200,
    reply: z.array(SigningKey),
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/signing-keys/rotate',
    summary: 'Add a pending key to each family. It starts signing once every verifier has had time to fetch it.',
    access: 'manager',
    audit: 'signing-key-rotated',
    status: 200,
    reply: z.array(SigningKey),
  }),
  compromise: endpoint({
    method: 'POST',
    path: '/signing-keys/{kid}/compromise',
    stepUp: true,
    summary:
      'Declare that somebody else may have a signing key. Every token that it signed is refused within 2 seconds; a new key signs from now on.',
    access: 'manager',
    params: z.object({ kid: z.string().max(100) }),
    status: 200,
    reply: z.array(SigningKey),
    problems: ['UnknownSigningKey'],
  }),
  mails: endpoint({
    method: 'GET',
    path: '/mails',
    summary: 'The newest mails with their delivery state, without their texts.',
    access: 'manager',
    query: z.object({ state: z.enum(['queued', 'sent', 'failed']).optional(), limit: queryInteger(1, 200).optional() }),
    status: 200,
    reply: z.array(Mail),
  }),
  resend: endpoint({
    method: 'POST',
    path: '/mails/{id}/resend',
    summary: 'Retry a failed mail.',
    access: 'manager',
    params: Id,
    status: 200,
    reply: Mail,
    problems: ['UnknownMail', 'MailErased'],
  }),
}
