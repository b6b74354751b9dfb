import type { BlockList } from 'node:net'
import type { UsageMeter } from '@trestle/usage/usage-meter'
import type { Family } from '../catalogue/blueprint.js'

/** A machine, as calls are sent to it. */
export interface LiveMember<C = unknown> {
  readonly id: string
  /** The way to it, which stays while what was seen of it changes. */
  readonly client: C
  /** Whether it was well when it was last looked at. */
  readonly isReady: boolean
  readonly isDraining: boolean
  readonly height: number
}

/** A holding as calls are held against it: made of its rows, never changed. */
export interface LiveHolding<C = unknown> {
  readonly id: string
  readonly kind: 'node' | 'cluster'
  readonly userId: string
  readonly wanted: 'started' | 'stopped'
  readonly authType: 'basic' | 'jwt' | 'none'
  /** SHA-256 of `user:password`. */
  readonly digest: Buffer
  /** Who may call; left out: anybody. */
  readonly allowedIps?: BlockList
  readonly chain: string
  readonly network: string
  readonly family: Family
  /** Those that have an address and may be called; the others are on their way, or gone. */
  readonly members: readonly LiveMember<C>[]
  /** Why there are none, for people. */
  readonly waitsFor?: string
  readonly meter: UsageMeter
}

export interface SeenMachine {
  readonly phase: string
  readonly wanted: string
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message: string }[]
}

const SERVING = new Set(['ready', 'degraded', 'updating'])

/** A node that answers may be called: how far it is it says itself. Of a cluster only those are asked that are there. */
export function isCallable(kind: LiveHolding['kind'], { phase, wanted, conditions }: SeenMachine): boolean {
  const answers = conditions.some(({ type, status }) => type === 'Reachable' && status === 'true')
  return wanted === 'running' && (SERVING.has(phase) || (kind === 'node' && answers))
}

/** What stands in the way, in the words of the first condition that is not met. */
export function waitsFor(machines: readonly SeenMachine[]): string {
  const [first] = machines
  if (!first) return 'Its machines are not made yet.'
  return first.conditions.find(({ status }) => status !== 'true')?.message ?? `It is ${first.phase}.`
}
