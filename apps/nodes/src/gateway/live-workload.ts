import type { ChainFamily } from '@trestle/contracts/chains/chain'
import type { AccessRules } from '@trestle/gateway/access-rules'
import type { UsageMeter } from '@trestle/usage/usage-meter'
import type { DaemonName } from '../catalogue/blueprint.js'

/** A machine, as calls are sent to it. */
export interface LiveMember<C = unknown> {
  readonly id: string
  /** Stays the same while what is observed of the machine changes. */
  readonly client: C
  /** As observed last. */
  readonly isReady: boolean
  readonly isDraining: boolean
  readonly height: number
}

/** A workload as its calls are checked and routed: made of its rows, never changed. */
export interface LiveWorkload<C = unknown> {
  readonly id: string
  readonly kind: 'node' | 'cluster'
  readonly desiredState: 'started' | 'stopped'
  readonly access: AccessRules
  /** Anybody may call it, from anywhere. */
  readonly isOpen: boolean
  readonly chain: string
  readonly network: string
  readonly family: ChainFamily
  readonly daemon: DaemonName
  /** The machines that have an address and may be called. */
  readonly members: readonly LiveMember<C>[]
  /** Why there are none, for its owner to read. */
  readonly reasonNotCallable?: string
  readonly meter: UsageMeter
}

export interface MachineState {
  readonly phase: string
  readonly desiredState: string
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message: string }[]
}

const SERVING = new Set(['ready', 'degraded', 'updating'])

/** A node may be called as soon as it answers; a member of a cluster only while it serves. */
export function isCallable(kind: LiveWorkload['kind'], { phase, desiredState, conditions }: MachineState): boolean {
  const answers = conditions.some(({ type, status }) => type === 'Reachable' && status === 'true')
  return desiredState === 'running' && (SERVING.has(phase) || (kind === 'node' && answers))
}

/** In the words of the first condition that is not met. */
export function reasonNotCallable(machines: readonly MachineState[]): string {
  const [first] = machines
  if (!first) return 'Its machines are not made yet.'
  return first.conditions.find(({ status }) => status !== 'true')?.message ?? `It is ${first.phase}.`
}
