import type { AccessRules } from '@trestle/gateway/access-rules'
import { addressesOf } from '@trestle/runtime/address-ranges'
import type { LimitedCalls } from '../call-limits/call-ledger.engine.js'
import { type CallRules, callRulesOf } from '../call-limits/call-rules.js'
import type { TokensOfIssuer } from '../foreign-tokens/foreign-tokens.engine.js'
import type { KeyMeter } from '../keys/key-use-book.engine.js'
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
  /** The key that was called with; left out: the id. */
  readonly key?: LiveKey
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
  /** By method, caller and sender; left out: nothing of that kind is limited. */
  readonly callLimits?: LimitedCalls
  /** Of the identity provider of its owner; left out: only our own let callers in. */
  readonly tokens?: TokensOfIssuer
  readonly meter: ProjectMeter
  /** Whether samples of its failed calls are kept. */
  readonly failureSamples: boolean
}

interface LiveKey {
  readonly number: number
  readonly name: string
  readonly uses: KeyMeter
}

/** What the calls of a project are counted, limited and let in by. */
export interface ProjectParts {
  readonly meter: ProjectMeter
  readonly key?: LiveKey
  readonly callLimits?: LimitedCalls
  readonly tokens?: TokensOfIssuer
}

export function compiled(project: StoredProject, isOwnerDisabled: boolean, { meter, key, callLimits, tokens }: ProjectParts): LiveProject {
  const { serial, id, organizationId, ownerId, requireToken, limits, failureSamples } = project
  return {
    serial,
    id,
    key,
    access: {
      organizationId,
      ownerId,
      isOwnerDisabled,
      credentials: requireToken ? { type: 'token', permission: 'eth:call', foreign: tokens } : { type: 'none' },
      origins: setOf(project.allowedOrigins),
      addresses: project.allowedIps.length > 0 ? addressesOf(project.allowedIps) : undefined,
      onAdmitted: (caller) => meter.noteCaller(caller),
    },
    methods: methodsOf(project.allowedMethods),
    namespaces: new Set(project.namespaces),
    contracts: setOf(project.allowedContracts),
    quorum: project.quorum && { ...project.quorum, methods: new Set(namesMatching(project.quorum.methods, [...QUORUM_METHOD_NAMES])) },
    limits,
    callLimits,
    tokens,
    meter,
    failureSamples,
  }
}

const ALL_METHODS = [...RPC_METHODS.map(({ name }) => name), ...NAMESPACE_METHOD_NAMES]

/** Undefined where a project limits no calls. */
export function callRulesIn({ limits }: StoredProject): CallRules | undefined {
  return callRulesOf(limits, ALL_METHODS)
}

function setOf(entries: readonly string[]): ReadonlySet<string> | undefined {
  return entries.length > 0 ? new Set(entries) : undefined
}

function methodsOf(patterns: readonly string[]): LiveProject['methods'] {
  if (patterns.length === 0) return undefined
  const names = new Set(namesMatching(patterns, ALL_METHODS))
  return (name) => names.has(name)
}

function namesMatching(patterns: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => patterns.some((pattern) => matchesPattern(pattern, name)))
}
