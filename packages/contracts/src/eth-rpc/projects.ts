import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'

/** At most so many entries in a list of a project. */
const MAX_ENTRIES = 30
const DAY_SECONDS = 86_400

/** As browsers send it: lower case, without a path and without the scheme's own port. */
export const Origin = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._[\]:-]+$/, 'must be an origin as browsers send it, such as https://app.example')
  .refine(isAsSent, 'must be an origin as browsers send it: without a path, and without the port that the scheme has anyway')

/** A method, or the beginning of several. */
export const MethodPattern = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9]*_[A-Za-z0-9_]*\*?$/, 'must be a method such as eth_call, or the beginning of several such as eth_get*')

export const ContractAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .transform((address) => address.toLowerCase())
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })

/** An address, or a range in CIDR form. */
export const IpRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address, or a range such as 192.0.2.0/24')

function listOf<S extends z.ZodType>(entry: S) {
  return z.array(entry).max(MAX_ENTRIES)
}

// Upper bounds of the form only: a deployment sets its own.
const PerSecond = z.int().min(1).max(1_000_000_000)
const PerDay = z.int().min(1).max(1_000_000_000_000_000)

const Limits = z
  .object({ perSecond: z.int(), perDay: z.int() })
  .meta({ id: 'ProjectLimits', description: 'In compute units. A day begins at 00:00 UTC.' })

const settings = {
  name: z.string().trim().min(1).max(100),
  allowedOrigins: listOf(Origin).meta({ description: 'Of pages that may call; empty: all. Callers that send no Origin pass.' }),
  allowedMethods: listOf(MethodPattern).meta({ description: 'Empty: all that this area serves.' }),
  allowedContracts: listOf(ContractAddress).meta({ description: 'What calls, logs and state may be asked about; empty: everything.' }),
  allowedIps: listOf(IpRange).meta({ description: 'Where calls may come from; empty: from anywhere.' }),
  requireToken: z.boolean().meta({ description: 'Calls also need a bearer token of the owner.' }),
}

const given = {
  allowedOrigins: settings.allowedOrigins.optional(),
  allowedMethods: settings.allowedMethods.optional(),
  allowedContracts: settings.allowedContracts.optional(),
  allowedIps: settings.allowedIps.optional(),
  requireToken: settings.requireToken.optional(),
  limits: z.object({ perSecond: PerSecond.optional(), perDay: PerDay.optional() }).optional(),
}

export const NewProject = z.object({ name: settings.name, ...given }).meta({ id: 'NewProject' })
export type NewProject = z.output<typeof NewProject>

export const ProjectChange = z
  .object({ name: settings.name.optional(), ...given })
  .meta({ id: 'ProjectChange', description: 'What is left out stays as it is; a list is replaced as a whole.' })
export type ProjectChange = z.output<typeof ProjectChange>

const shown = z.array(z.string())

export const Project = z
  .object({
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .meta({ description: 'The credential: whoever knows it can call.' }),
    name: z.string(),
    chain: z.string(),
    allowedOrigins: shown,
    allowedMethods: shown,
    allowedContracts: shown,
    allowedIps: shown,
    requireToken: z.boolean(),
    limits: Limits,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    url: z.url().meta({ description: 'Where JSON-RPC is spoken; for a WebSocket the same with ws.' }),
    formerIdUntil: Timestamp.optional().meta({ description: 'So long the id before the last rotation is good too.' }),
  })
  .meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

export const ProjectParams = z.object({ projectId: z.string().max(100) })

export const projects = {
  create: endpoint({
    method: 'POST',
    path: '/projects',
    summary: 'Create a project: an id to call JSON-RPC with.',
    access: 'client',
    body: NewProject,
    status: 201,
    reply: Project,
    problems: ['LimitExceeded', 'UnknownMethod', 'LimitTooHigh'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/projects',
    summary: 'Your projects, newest first.',
    access: 'client',
    status: 200,
    reply: z.array(Project),
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/{projectId}',
    summary: 'One project of yours.',
    access: 'client',
    params: ProjectParams,
    status: 200,
    reply: Project,
    problems: ['UnknownProject'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/projects/{projectId}',
    summary: 'Change it, everywhere within 2 seconds.',
    access: 'client',
    params: ProjectParams,
    body: ProjectChange,
    status: 200,
    reply: Project,
    problems: ['UnknownProject', 'UnknownMethod', 'LimitTooHigh'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/projects/{projectId}/rotations',
    summary:
      'Give it a new id. The one it had ends within 2 seconds everywhere, or after the grace you ask for; one before that ends in any case.',
    access: 'client',
    params: ProjectParams,
    body: z
      .object({ graceSeconds: z.int().min(0).max(DAY_SECONDS).default(0) })
      .meta({ id: 'Rotation' })
      .optional(),
    status: 200,
    reply: Project,
    problems: ['UnknownProject'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/{projectId}',
    summary: 'Delete it: calls are refused everywhere within 2 seconds.',
    access: 'client',
    params: ProjectParams,
    status: 204,
    problems: ['UnknownProject'],
  }),
}

/** Only of http and https does the URL standard know origins; those of browser extensions stand as they are. */
function isAsSent(origin: string): boolean {
  if (!/^https?:/.test(origin)) return true
  return URL.canParse(origin) && new URL(origin).origin === origin
}
