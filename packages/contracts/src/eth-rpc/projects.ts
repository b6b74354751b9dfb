import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { UserId } from '../accounts/users.js'
import { can, endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { MethodPattern } from './method-pattern.js'
import { Quorum } from './quorum.js'

/** The identity provider whose tokens let callers in. */
const ProjectTokens = z
  .object({
    jwksUrl: z
      .url({ protocol: /^https$/, error: 'must be an https URL' })
      .max(500)
      .meta({
        description: 'Where its public keys are, as a JWK Set: on the internet, and not redirected.',
        examples: ['https://id.example/.well-known/jwks.json'],
      }),
    issuer: z.string().min(1).max(300).meta({ description: 'The claim `iss`.' }),
    audience: z.string().min(1).max(300).meta({ description: 'The claim `aud`, or one of it.' }),
  })
  .meta({
    id: 'ProjectTokens',
    description: 'Tokens (JWT) of RS256, ES256 or EdDSA that your app gives its users. They let callers in where `requireToken` is set.',
  })

/** Entries in a list of a project. */
const MAX_ENTRIES = 30
const DAY_SECONDS = 86_400

/** As browsers send it: lower case, without path or default port. */
export const Origin = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._[\]:-]+$/, 'must be an origin as browsers send it, such as https://app.example')
  .refine(isAsSent, 'must be an origin as browsers send it: without a path or default port')
  .meta({ examples: ['https://app.example'] })

export const ContractAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .transform((address) => address.toLowerCase())
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })

/** Namespaces of methods that administrators grant: not every caller is to have them. */
export const METHOD_NAMESPACES = ['debug', 'trace', 'txpool', 'erigon', 'ots'] as const
export type MethodNamespace = (typeof METHOD_NAMESPACES)[number]
export const MethodNamespaces = z.array(z.enum(METHOD_NAMESPACES)).max(METHOD_NAMESPACES.length)

/** An address, or a range in CIDR form. */
export const IpRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address, or a range such as 192.0.2.0/24')

function listOf<S extends z.ZodType>(entry: S) {
  return z.array(entry).max(MAX_ENTRIES)
}

// Bounds of the format: each deployment sets its own limits.
export const PerSecond = z.int().min(1).max(1_000_000_000)
export const PerDay = z.int().min(1).max(1_000_000_000_000_000)

const MAX_METHOD_LIMITS = 20
const Calls = z.int().min(1).max(1_000_000)

const callLimits = {
  methods: z
    .array(z.object({ method: MethodPattern, perSecond: Calls }).meta({ id: 'MethodLimit' }))
    .max(MAX_METHOD_LIMITS)
    .meta({
      description:
        'Calls a second of a method, or of all that a prefix such as debug_* means together. The first entry that means a method holds.',
    }),
  perAddress: Calls.meta({ description: 'Calls a second for each address that calls; a /64 of IPv6 is one.' }),
  perSender: Calls.meta({ description: 'Raw transactions a minute for each address that signs them.' }),
  perCaller: Calls.meta({ description: 'Calls a second for each subject of tokens of the project’s identity provider (`tokens`).' }),
}

const Limits = z
  .object({
    perSecond: z.int(),
    perDay: z.int(),
    methods: callLimits.methods.optional(),
    perAddress: callLimits.perAddress.optional(),
    perSender: callLimits.perSender.optional(),
    perCaller: callLimits.perCaller.optional(),
  })
  .meta({
    id: 'ProjectLimits',
    description:
      '`perSecond` and `perDay` are compute units; a day starts at 00:00 UTC. The others are calls, and left out where there is no such limit.',
  })

const settings = {
  name: z.string().trim().min(1).max(100),
  allowedOrigins: listOf(Origin).meta({
    description: 'Origins of pages that may call; empty: all. Callers without an Origin header are allowed.',
  }),
  allowedMethods: listOf(MethodPattern).meta({ description: 'Methods that may be called; empty: all.' }),
  allowedContracts: listOf(ContractAddress).meta({ description: 'Contracts that calls, logs and state queries may refer to; empty: all.' }),
  allowedIps: listOf(IpRange).meta({ description: 'Addresses that calls may come from; empty: any.' }),
  namespaces: MethodNamespaces.meta({
    description: 'Namespaces of methods beyond eth, net and web3, among those that administrators granted you.',
  }),
  requireToken: z
    .boolean()
    .meta({ description: 'Whether calls need a bearer token of somebody who may call (eth:call) in its organization.' }),
  failureSamples: z
    .boolean()
    .meta({ description: 'Whether samples of failed calls are kept; those that are kept are deleted with false.' }),
}

const given = {
  allowedOrigins: settings.allowedOrigins.optional(),
  allowedMethods: settings.allowedMethods.optional(),
  allowedContracts: settings.allowedContracts.optional(),
  allowedIps: settings.allowedIps.optional(),
  namespaces: settings.namespaces.optional(),
  requireToken: settings.requireToken.optional(),
  failureSamples: settings.failureSamples.optional(),
  limits: z
    .object({
      perSecond: PerSecond.optional(),
      perDay: PerDay.optional(),
      methods: callLimits.methods.optional(),
      perAddress: callLimits.perAddress.nullish(),
      perSender: callLimits.perSender.nullish(),
      perCaller: callLimits.perCaller.nullish(),
    })
    .optional()
    .meta({ description: 'Left out: as before. null, and an empty list: no such limit.' }),
  tokens: ProjectTokens.nullish().meta({ description: 'Left out: as before, at first none. null: none.' }),
  quorum: Quorum.nullish().meta({ description: 'Left out: as before, at first none. null: none.' }),
}

export const NewProject = z.object({ name: settings.name, ...given }).meta({ id: 'NewProject' })
export type NewProject = z.output<typeof NewProject>

export const ProjectChange = z
  .object({ name: settings.name.optional(), ...given })
  .meta({ id: 'ProjectChange', description: 'Omitted members are left unchanged; a list is replaced as a whole.' })
export type ProjectChange = z.output<typeof ProjectChange>

const shown = z.array(z.string())

const ShownQuorum = z
  .object({ nodes: z.int(), agreeing: z.int(), methods: shown, byHeader: z.boolean() })
  .meta({ id: 'ProjectQuorum', description: 'Calls are answered only where so many nodes agree.' })

export const Project = z
  .object({
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .meta({ description: 'A credential: whoever has it can call.' }),
    name: z.string(),
    organization: OrganizationId.optional().meta({ description: 'The organization that owns it.' }),
    user: UserId.optional().meta({ description: 'Who created it.' }),
    chain: z.string(),
    allowedOrigins: shown,
    allowedMethods: shown,
    allowedContracts: shown,
    allowedIps: shown,
    namespaces: shown.optional().meta({ description: 'Namespaces of methods beyond eth, net and web3. Left out: none.' }),
    requireToken: z.boolean(),
    failureSamples: z.boolean().optional().meta({ description: 'False: no samples of failed calls are kept. Left out: they are.' }),
    limits: Limits,
    tokens: ProjectTokens.optional().meta({ description: 'Left out: only tokens of this platform let callers in.' }),
    quorum: ShownQuorum.optional().meta({ description: 'Left out: none; the answer of one node is enough.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    url: z.url().meta({ description: 'The JSON-RPC endpoint; the same with ws for WebSockets.' }),
    formerIdUntil: Timestamp.optional().meta({ description: 'Until when the previous id is accepted.' }),
  })
  .meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

export const ProjectParams = z.object({ projectId: z.string().max(100) })

export const projects = {
  create: endpoint({
    method: 'POST',
    path: '/projects',
    creates: true,
    audit: 'project-rules-changed',
    summary: 'Create a project: an id for JSON-RPC calls.',
    access: can('eth:write'),
    body: NewProject,
    status: 201,
    reply: Project,
    problems: ['LimitExceeded', 'UnknownMethod', 'LimitTooHigh', 'NamespaceNotGranted', 'QuorumTooLarge'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/projects',
    summary: 'The projects of the organization, newest first.',
    access: can('eth:read'),
    status: 200,
    reply: z.array(Project),
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/{projectId}',
    summary: 'One project.',
    access: can('eth:read'),
    params: ProjectParams,
    status: 200,
    reply: Project,
    problems: ['UnknownProject'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/projects/{projectId}',
    audit: 'project-rules-changed',
    summary: 'Change it. Takes effect everywhere within 2 seconds.',
    access: can('eth:write'),
    params: ProjectParams,
    body: ProjectChange,
    status: 200,
    reply: Project,
    problems: ['UnknownProject', 'UnknownMethod', 'LimitTooHigh', 'NamespaceNotGranted', 'QuorumTooLarge'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/projects/{projectId}/rotations',
    audit: 'credentials-rotated',
    summary: 'Give it a new id. The previous id is refused within 2 seconds, or after the grace period; any earlier one at once.',
    access: can('eth:write'),
    params: ProjectParams,
    body: z
      .object({ graceSeconds: z.int().min(0).max(DAY_SECONDS).default(0) })
      .meta({ id: 'Rotation' })
      .optional(),
    status: 200,
    reply: Project,
    problems: ['UnknownProject'],
  }),
  transfer: endpoint({
    method: 'PUT',
    path: '/projects/{projectId}/organization',
    audit: 'ownership-transferred',
    summary: 'Give it to another organization in which you may create projects. Its id and usage stay.',
    access: can('eth:write'),
    params: ProjectParams,
    body: z.object({ organization: OrganizationId }).meta({ id: 'ProjectTransfer' }),
    status: 200,
    reply: Project,
    problems: ['UnknownProject', 'UnknownOrganization', 'MissingPermission', 'LimitExceeded'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/{projectId}',
    audit: 'project-rules-changed',
    summary: 'Delete it. Calls are refused everywhere within 2 seconds.',
    access: can('eth:write'),
    params: ProjectParams,
    status: 204,
    problems: ['UnknownProject'],
  }),
}

/** The URL standard defines origins of http and https only; those of browser extensions are taken as they are. */
function isAsSent(origin: string): boolean {
  if (!/^https?:/.test(origin)) return true
  return URL.canParse(origin) && new URL(origin).origin === origin
}
