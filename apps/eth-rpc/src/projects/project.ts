import type { NewProject, Project as ProjectReply } from '@trestle/contracts/eth-rpc/projects'
import type { Quorum } from '@trestle/contracts/eth-rpc/quorum'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { type CallLimits, type CallLimitsChange, changedCallLimits } from '../call-limits/call-limits.js'
import type { TokenSettings } from '../foreign-tokens/token-settings.js'
import type { ComputeUnitLimits } from '../limits/spending-ledger.js'
import { RPC_METHODS } from '../methods/method.js'
import { NAMESPACE_METHOD_NAMES } from '../methods/namespace-method.js'
import { QUORUM_METHOD_NAMES } from '../quorum/quorum-methods.js'
import { matchesPattern } from './method-pattern.js'

/** Of those that a user has created, in all organizations together. */
export const CREATED_LIMIT = 20
/** Of those that an organization owns. */
export const OWNED_LIMIT = 100
/** A UTC day, deleted ones among them: the usage of each stays. */
export const CREATED_A_DAY = 100

/** How many projects an organization owns; how many there are, and were created today, of the user. */
export interface ProjectCounts {
  readonly owned: number
  readonly created: number
  readonly createdToday: number
}

/** A project as it is kept. */
export interface StoredProject extends ProjectSettings {
  /** Never changes and is no secret: the key of usage, domain events and limits. */
  readonly serial: number
  /** The credential: 32 hexadecimal digits. */
  readonly id: string
  readonly former?: FormerId
  /** The organization that owns it. */
  readonly organizationId: string
  /** Who created it. */
  readonly ownerId: string
  /** Incremented by every change. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ProjectSettings {
  readonly name: string
  readonly allowedOrigins: readonly string[]
  readonly allowedMethods: readonly string[]
  readonly allowedContracts: readonly string[]
  readonly allowedIps: readonly string[]
  readonly namespaces: readonly string[]
  readonly requireToken: boolean
  /** Whether samples of failed calls are kept. */
  readonly failureSamples: boolean
  readonly limits: ProjectLimits
  /** Whose tokens let callers in, besides our own. */
  readonly tokens?: TokenSettings
  readonly quorum?: Quorum
}

type ProjectLimits = ComputeUnitLimits & CallLimits

/** The id before the last rotation, and when it ends. */
interface FormerId {
  readonly id: string
  readonly until: Date
}

/** The ids that lead to a project, and when the one before a rotation ends, in epoch milliseconds. */
export function idsOf({ id, former }: StoredProject): { id: string; until?: number }[] {
  return former ? [{ id }, { id: former.id, until: former.until.getTime() }] : [{ id }]
}

/** The limits that a deployment gives to projects, and how far their owners may raise them. */
export interface LimitPolicy {
  readonly usual: ComputeUnitLimits
  readonly max: ComputeUnitLimits
  /** Namespaces of methods that their owners may allow them. */
  readonly namespaces: readonly string[]
}

/** What administrators granted an owner in place of the maximum of the deployment: more, or less. */
export interface GrantedLimits extends ComputeUnitLimits {
  readonly namespaces: readonly string[]
  readonly grantedAt: Date
}

/** The policy for an owner: a new project has the usual limits, unless less was granted. */
export function policyOf({ usual, max: maxOfAll, namespaces: ofAll }: LimitPolicy, granted: GrantedLimits | undefined): LimitPolicy {
  const max = granted ? { perSecond: granted.perSecond, perDay: granted.perDay } : maxOfAll
  const namespaces = granted?.namespaces ?? ofAll
  return { max, namespaces, usual: { perSecond: Math.min(usual.perSecond, max.perSecond), perDay: Math.min(usual.perDay, max.perDay) } }
}

type SettingsChange = Partial<Omit<ProjectSettings, 'limits' | 'quorum' | 'tokens'>> & {
  readonly limits?: Partial<ComputeUnitLimits> & CallLimitsChange
  /** null: none any more. */
  readonly quorum?: Quorum | null
  readonly tokens?: TokenSettings | null
}

/** A new project, unless there are too many. */
export function newProject(
  { id, organizationId, ownerId, ...counts }: ProjectCounts & Pick<StoredProject, 'id' | 'organizationId' | 'ownerId'>,
  { name, ...given }: NewProject,
  policy: LimitPolicy,
  now: Date,
): NewProjectRow {
  if (counts.created >= CREATED_LIMIT)
    throw new Problem('conflict', 'LimitExceeded', `An account has at most ${CREATED_LIMIT} projects a chain; delete one first.`)
  checkRoom(counts)
  if (counts.createdToday >= CREATED_A_DAY)
    throw new Problem('too-many', 'LimitExceeded', `You created ${counts.createdToday} projects today; create more tomorrow (UTC).`, {
      headers: retryAfter(3600),
    })
  const settings = merged({ ...OPEN, name, limits: policy.usual }, given, policy)
  return { ...settings, id, organizationId, ownerId, version: 1, createdAt: now, updatedAt: now }
}

/** Problem `QuorumTooLarge` if it asks more nodes than there are. */
export function checkQuorumNodes({ quorum }: Pick<SettingsChange, 'quorum'>, nodes: number): void {
  if (!quorum || quorum.nodes <= nodes) return
  const message = `must not be more than ${nodes}: this deployment has no more nodes`
  throw new Problem('invalid', 'QuorumTooLarge', `quorum.nodes ${message}`, { errors: [{ path: 'body.quorum.nodes', message }] })
}

/** Problem `LimitExceeded` if the organization cannot own one more. */
export function checkRoom({ owned }: Pick<ProjectCounts, 'owned'>): void {
  if (owned >= OWNED_LIMIT)
    throw new Problem('conflict', 'LimitExceeded', `An organization has at most ${OWNED_LIMIT} projects a chain; delete one first.`)
}

export function transferredProject(project: StoredProject, organizationId: string, now: Date): StoredProject {
  return { ...project, organizationId, version: project.version + 1, updatedAt: now }
}

export type NewProjectRow = Omit<StoredProject, 'serial'>

// The defaults.
const OPEN = {
  ...{ allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [], namespaces: [] },
  ...{ requireToken: false, failureSamples: true },
}

export function changedProject(project: StoredProject, change: SettingsChange, policy: LimitPolicy, now: Date): StoredProject {
  return { ...project, ...merged(project, change, policy), version: project.version + 1, updatedAt: now }
}

/** With a new id. The one it had ends at once unless it is given some grace; one from an earlier rotation ends in any case. */
export function rotatedProject(project: StoredProject, newId: string, graceSeconds: number, now: Date): StoredProject {
  const former = graceSeconds > 0 ? { id: project.id, until: new Date(now.getTime() + graceSeconds * 1000) } : undefined
  return { ...project, id: newId, former, version: project.version + 1, updatedAt: now }
}

/** A project as members of its organization see it. */
export function describeProject(project: StoredProject, place: { chain: string; baseUrl: string }, now: Date): ProjectReply {
  const { id, name, organizationId, ownerId, requireToken, limits, quorum, tokens, former } = project
  return {
    id,
    name,
    organization: organizationId,
    user: ownerId,
    chain: place.chain,
    allowedOrigins: [...project.allowedOrigins],
    allowedMethods: [...project.allowedMethods],
    allowedContracts: [...project.allowedContracts],
    allowedIps: [...project.allowedIps],
    namespaces: shownNamespaces(project.namespaces),
    requireToken,
    failureSamples: project.failureSamples ? undefined : false,
    limits: { ...limits, methods: limits.methods && [...limits.methods] },
    quorum,
    tokens,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    url: `${place.baseUrl}/v1/${id}`,
    formerIdUntil: former && former.until > now ? former.until.toISOString() : undefined,
  }
}

/** Left out where there are none. */
export function shownNamespaces(namespaces: readonly string[]): string[] | undefined {
  return namespaces.length > 0 ? [...namespaces] : undefined
}

/** The same for a project that does not exist and for one of another organization. */
export function unknownProject(): Problem {
  return new Problem('unknown', 'UnknownProject', 'The organization has no project of this id on this chain.')
}

/** The settings with a change applied, if every method in it exists, and every limit and namespace is allowed. */
function merged(settings: ProjectSettings, given: SettingsChange, policy: LimitPolicy): ProjectSettings {
  const { limits = {}, quorum = settings.quorum, tokens = settings.tokens, ...change } = given
  const { perSecond = settings.limits.perSecond, perDay = settings.limits.perDay, ...callLimits } = limits
  const changed = {
    ...settings,
    ...defined(change),
    limits: { perSecond, perDay, ...changedCallLimits(settings.limits, callLimits) },
    quorum: quorum ?? undefined,
    tokens: tokens ?? undefined,
  }
  checkQuorumMethods(given.quorum?.methods ?? [])
  checkMethods(change.allowedMethods ?? [], methodNamesIn(changed.namespaces), 'allowedMethods')
  const limited = limits.methods?.map(({ method }) => method) ?? []
  checkMethods(limited, methodNamesIn(changed.namespaces), 'limits.methods')
  for (const period of ['perSecond', 'perDay'] as const)
    if ((limits[period] ?? 0) > policy.max[period]) throw limitTooHigh(period, policy.max[period])
  const other = change.namespaces?.find((namespace) => !policy.namespaces.includes(namespace))
  if (other !== undefined) throw namespaceNotGranted(other)
  return changed
}

function checkMethods(patterns: readonly string[], names: readonly string[], at: string): void {
  for (const pattern of patterns) if (!names.some((name) => matchesPattern(pattern, name))) throw unknownMethod(pattern, at)
}

function checkQuorumMethods(patterns: readonly string[]): void {
  const names = [...QUORUM_METHOD_NAMES]
  const other = patterns.find((pattern) => !names.some((name) => matchesPattern(pattern, name)))
  if (other !== undefined) throw noQuorumMethod(other)
}

/** Those of every project, and of these namespaces. */
function methodNamesIn(namespaces: readonly string[]): string[] {
  const granted = NAMESPACE_METHOD_NAMES.filter((name) => namespaces.some((namespace) => name.startsWith(`${namespace}_`)))
  return [...RPC_METHODS.map(({ name }) => name), ...granted]
}

function namespaceNotGranted(namespace: string): Problem {
  const message = `${namespace} was not granted to the owner of the project; administrators of this platform can`
  return new Problem('invalid', 'NamespaceNotGranted', message, { errors: [{ path: 'body.namespaces', message }] })
}

function unknownMethod(pattern: string, at: string): Problem {
  const message = `"${pattern}" matches no method of this area`
  return new Problem('invalid', 'UnknownMethod', message, { errors: [{ path: `body.${at}`, message }] })
}

function noQuorumMethod(pattern: string): Problem {
  const message = `"${pattern}" matches no method that nodes can be compared by`
  return new Problem('invalid', 'UnknownMethod', message, { errors: [{ path: 'body.quorum.methods', message }] })
}

function limitTooHigh(period: keyof ComputeUnitLimits, max: number): Problem {
  const message = `may be at most ${max} compute units; administrators of this platform can grant you more`
  return new Problem('invalid', 'LimitTooHigh', `limits.${period} ${message}`, { errors: [{ path: `body.limits.${period}`, message }] })
}

function defined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
