import type { BlockList } from 'node:net'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { METHODS } from '../methods/method.js'
import type { ProjectMeter } from '../usage/usage-kind.js'
import { matches } from './method-pattern.js'
import type { Project } from './project.js'

/** A project as calls are held against it: compiled once, never changed. */
export interface LiveProject {
  /** Never changes and is no secret: what is kept or told of a project goes by it. */
  readonly serial: number
  /** The credential. */
  readonly id: string
  readonly ownerId: string
  /** What may call, and what may be called; left out: everything. */
  readonly origins?: ReadonlySet<string>
  readonly methods?: (name: string) => boolean
  readonly contracts?: ReadonlySet<string>
  readonly ips?: BlockList
  readonly requireToken: boolean
  /** In compute units. */
  readonly limits: { readonly perSecond: number; readonly perDay: number }
  readonly meter: ProjectMeter
}

export function compiled(project: Project, meter: ProjectMeter): LiveProject {
  const { serial, id, ownerId, requireToken, limits } = project
  return {
    serial,
    id,
    ownerId,
    origins: setOf(project.allowedOrigins),
    methods: methodsOf(project.allowedMethods),
    contracts: setOf(project.allowedContracts),
    ips: project.allowedIps.length > 0 ? addressesOf(project.allowedIps) : undefined,
    requireToken,
    limits,
    meter,
  }
}

function setOf(entries: readonly string[]): ReadonlySet<string> | undefined {
  return entries.length > 0 ? new Set(entries) : undefined
}

function methodsOf(patterns: readonly string[]): LiveProject['methods'] {
  if (patterns.length === 0) return undefined
  const names = new Set(METHODS.map(({ name }) => name).filter((name) => patterns.some((pattern) => matches(pattern, name))))
  return (name) => names.has(name)
}
