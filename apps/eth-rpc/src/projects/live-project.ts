import type { AccessRules } from '@trestle/gateway/access-rules'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { RPC_METHODS } from '../methods/method.js'
import { NAMESPACE_METHOD_NAMES } from '../methods/namespace-method.js'
import { QUORUM_METHOD_NAMES } from '../quorum/quorum-methods.js'
import type { QuorumRule } from '../quorum/quorum-rule.js'
import type { ProjectMeter } from '../usage/project-usage.js'
import { matchesPattern } from './method-pattern.js'
import type { StoredProject } from './project.js'

/** A project as its calls are checked: compiled once, never changed. */
export interface LiveProject {
  /** Never changes and is no secret: whatever is stored or published about a project has it. */
  readonly serial: number
  /** The credential. */
  readonly id: string
  readonly access: AccessRules
  /** What may be called; left out: everything. */
  readonly methods?: (name: string) => boolean
  /** Of methods beyond those that every project has. */
  readonly namespaces: ReadonlySet<string>
  readonly contracts?: ReadonlySet<string>
  /** Left out: the answer of one node is enough. */
  readonly quorum?: QuorumRule
  /** In compute units. */
  readonly limits: { readonly perSecond: number; readonly perDay: number }
  readonly meter: ProjectMeter
  /** Whether samples of its failed calls are kept. */
  readonly failureSamples: boolean
}

export function compiled(project: StoredProject, isOwnerDisabled: boolean, meter: ProjectMeter): LiveProject {
  const { serial, id, organizationId, ownerId, requireToken, limits, failureSamples } = project
  return {
    serial,
    id,
    access: {
      organizationId,
      ownerId,
      isOwnerDisabled,
      credentials: requireToken ? { type: 'token', permission: 'eth:call' } : { type: 'none' },
      origins: setOf(project.allowedOrigins),
      addresses: project.allowedIps.length > 0 ? addressesOf(project.allowedIps) : undefined,
      onAdmitted: (caller) => meter.noteCaller(caller),
    },
    methods: methodsOf(project.allowedMethods),
    namespaces: new Set(project.namespaces),
    contracts: setOf(project.allowedContracts),
    quorum: project.quorum && { ...project.quorum, methods: new Set(namesMatching(project.quorum.methods, [...QUORUM_METHOD_NAMES])) },
    limits,
    meter,
    failureSamples,
  }
}

function setOf(entries: readonly string[]): ReadonlySet<string> | undefined {
  return entries.length > 0 ? new Set(entries) : undefined
}

function methodsOf(patterns: readonly string[]): LiveProject['methods'] {
  if (patterns.length === 0) return undefined
  const all = [...RPC_METHODS.map(({ name }) => name), ...NAMESPACE_METHOD_NAMES]
  const names = new Set(namesMatching(patterns, all))
  return (name) => names.has(name)
}

function namesMatching(patterns: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => patterns.some((pattern) => matchesPattern(pattern, name)))
}
