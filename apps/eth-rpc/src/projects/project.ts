import type { NewProject, Project as ProjectReply } from '@trestle/contracts/eth-rpc/projects'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { ComputeUnitLimits } from '../limits/spending-ledger.js'
import { RPC_METHODS } from '../methods/method.js'
import { matchesPattern } from './method-pattern.js'

export const PROJECT_LIMIT = 20
/** A UTC day, deleted ones among them: the usage of each stays. */
export const CREATED_A_DAY = 100

/** How many projects an owner has, and has created today. */
export interface ProjectCounts {
  readonly owned: number
  readonly createdToday: number
}

/** A project as it is kept. */
export interface StoredProject extends ProjectSettings {
  /** Never changes and is no secret: the key of usage, domain events and limits. */
  readonly serial: number
  /** The credential: 32 hexadecimal digits. */
  readonly id: string
  readonly former?: FormerId
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
  readonly requireToken: boolean
  readonly limits: ComputeUnitLimits
}

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
}

type SettingsChange = Partial<Omit<ProjectSettings, 'limits'>> & { readonly limits?: Partial<ComputeUnitLimits> }

/** A new project, unless its owner has too many. */
export function newProject(
  { id, ownerId, owned, createdToday }: ProjectCounts & Pick<StoredProject, 'id' | 'ownerId'>,
  { name, ...given }: NewProject,
  policy: LimitPolicy,
  now: Date,
): NewProjectRow {
  if (owned >= PROJECT_LIMIT)
    throw new Problem('conflict', 'LimitExceeded', `An account has at most ${PROJECT_LIMIT} projects a chain; delete one first.`)
  if (createdToday >= CREATED_A_DAY)
    throw new Problem('too-many', 'LimitExceeded', `You created ${createdToday} projects today; create more tomorrow (UTC).`, {
      headers: retryAfter(3600),
    })
  const settings = merged({ ...OPEN, name, limits: policy.usual }, given, policy)
  return { ...settings, id, ownerId, version: 1, createdAt: now, updatedAt: now }
}

export type NewProjectRow = Omit<StoredProject, 'serial'>

// The defaults.
const OPEN = { allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [], requireToken: false }

export function changedProject(project: StoredProject, change: SettingsChange, policy: LimitPolicy, now: Date): StoredProject {
  return { ...project, ...merged(project, change, policy), version: project.version + 1, updatedAt: now }
}

/** With a new id. The one it had ends at once unless it is given some grace; one from an earlier rotation ends in any case. */
export function rotatedProject(project: StoredProject, newId: string, graceSeconds: number, now: Date): StoredProject {
  const former = graceSeconds > 0 ? { id: project.id, until: new Date(now.getTime() + graceSeconds * 1000) } : undefined
  return { ...project, id: newId, former, version: project.version + 1, updatedAt: now }
}

/** A project as its owner sees it. */
export function describeProject(project: StoredProject, place: { chain: string; baseUrl: string }, now: Date): ProjectReply {
  const { id, name, requireToken, limits, former } = project
  return {
    id,
    name,
    chain: place.chain,
    allowedOrigins: [...project.allowedOrigins],
    allowedMethods: [...project.allowedMethods],
    allowedContracts: [...project.allowedContracts],
    allowedIps: [...project.allowedIps],
    requireToken,
    limits: { ...limits },
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    url: `${place.baseUrl}/v1/${id}`,
    formerIdUntil: former && former.until > now ? former.until.toISOString() : undefined,
  }
}

/** The same for a project that does not exist and for one of another user. */
export function unknownProject(): Problem {
  return new Problem('unknown', 'UnknownProject', 'You have no project of this id on this chain.')
}

/** The settings with a change applied, if every method in it exists and every limit is allowed. */
function merged(settings: ProjectSettings, { limits = {}, ...change }: SettingsChange, { max }: LimitPolicy): ProjectSettings {
  for (const pattern of change.allowedMethods ?? [])
    if (!RPC_METHODS.some(({ name }) => matchesPattern(pattern, name))) throw unknownMethod(pattern)
  for (const period of ['perSecond', 'perDay'] as const) if ((limits[period] ?? 0) > max[period]) throw limitTooHigh(period, max[period])
  return { ...settings, ...defined(change), limits: { ...settings.limits, ...defined(limits) } }
}

function unknownMethod(pattern: string): Problem {
  const message = `"${pattern}" matches no method of this area`
  return new Problem('invalid', 'UnknownMethod', message, { errors: [{ path: 'body.allowedMethods', message }] })
}

function limitTooHigh(period: keyof ComputeUnitLimits, max: number): Problem {
  const message = `may be at most ${max} compute units here`
  return new Problem('invalid', 'LimitTooHigh', `limits.${period} ${message}`, { errors: [{ path: `body.limits.${period}`, message }] })
}

function defined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
