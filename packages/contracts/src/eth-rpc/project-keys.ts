import { z } from 'zod'
import { UserId } from '../accounts/users.js'
import { can, endpoint } from '../endpoint.js'
import { TimeInput, Timestamp } from '../fields.js'
import { ProjectParams } from './projects.js'

/** Of one project. */
export const MAX_PROJECT_KEYS = 20

const name = z.string().trim().min(1).max(100)
const expiresAt = TimeInput.meta({ description: 'In the future. Calls with the key are refused from then on.' })

const KeyNumber = z.int().min(1).meta({ description: 'Names the key; no other key of the project ever has it.' })

export const ProjectKey = z
  .object({
    number: KeyNumber,
    name: z.string(),
    lastFour: z.string().meta({ description: 'The last four digits of the key.' }),
    createdAt: Timestamp,
    createdBy: UserId.optional(),
    expiresAt: Timestamp.optional().meta({ description: 'Left out: never.' }),
    lastUsedAt: Timestamp.optional().meta({ description: 'Within some seconds; left out: never.' }),
    lastUsedFrom: z.string().optional().meta({ description: 'The address of the caller then.' }),
  })
  .meta({ id: 'ProjectKey', description: 'A credential of a project beside its id.' })
export type ProjectKey = z.infer<typeof ProjectKey>

const NewProjectKey = z.object({ name, expiresAt: expiresAt.optional() }).meta({ id: 'NewProjectKey' })
export type NewProjectKey = z.output<typeof NewProjectKey>

const ProjectKeyChange = z
  .object({ name: name.optional(), expiresAt: expiresAt.nullish() })
  .meta({ id: 'ProjectKeyChange', description: 'Omitted members are left unchanged. `expiresAt` null: never.' })
export type ProjectKeyChange = z.output<typeof ProjectKeyChange>

export const CreatedProjectKey = ProjectKey.extend({
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .meta({ description: 'The credential. It is in no other reply.' }),
  url: z.url().meta({ description: 'The JSON-RPC endpoint with this key; the same with ws for WebSockets.' }),
}).meta({ id: 'CreatedProjectKey' })
export type CreatedProjectKey = z.infer<typeof CreatedProjectKey>

const params = ProjectParams.extend({
  keyNumber: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a key')
    .transform(Number)
    .meta({ type: 'string', pattern: '^[1-9]\\d{0,8}$', examples: ['1'] }),
})

export const projectKeys = {
  create: endpoint({
    method: 'POST',
    path: '/projects/{projectId}/keys',
    creates: true,
    audit: 'key-created',
    summary: `Create a key: a credential that takes the place of the project's id in its URL. It is returned only once. A project has at most ${MAX_PROJECT_KEYS}.`,
    access: can('eth:write'),
    params: ProjectParams,
    body: NewProjectKey,
    status: 201,
    reply: CreatedProjectKey,
    problems: ['UnknownProject', 'LimitExceeded'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/keys',
    summary: 'The keys of a project, newest first, without the keys themselves.',
    access: can('eth:read'),
    params: ProjectParams,
    status: 200,
    reply: z.array(ProjectKey),
    problems: ['UnknownProject'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/projects/{projectId}/keys/{keyNumber}',
    audit: 'key-changed',
    summary: 'Change the name or the expiry of a key. Takes effect everywhere within 2 seconds; for one that has expired, within 6.',
    access: can('eth:write'),
    params,
    body: ProjectKeyChange,
    status: 200,
    reply: ProjectKey,
    problems: ['UnknownProject', 'UnknownProjectKey'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/{projectId}/keys/{keyNumber}',
    audit: 'key-deleted',
    summary: 'Delete a key. Calls with it are refused, and its WebSockets closed, everywhere within 2 seconds.',
    access: can('eth:write'),
    params,
    status: 204,
    problems: ['UnknownProject', 'UnknownProjectKey'],
  }),
}
