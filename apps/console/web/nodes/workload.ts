import { chainOfImage } from '@trestle/contracts/chains/chains'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { Node } from '@trestle/contracts/nodes/nodes'
import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'

export type NodeOrClusterKind = 'node' | 'cluster'
export type NodeOrCluster = Node | Cluster

/** `trouble`: it needs somebody to act. */
type ProgressStepState = 'done' | 'now' | 'trouble' | 'next'
export type ProgressStepName = 'make' | 'start' | 'sync' | 'ready' | 'stopping' | 'stopped' | 'removing' | 'gone'
export interface ProgressStep {
  readonly name: ProgressStepName
  readonly state: ProgressStepState
}

const STARTED = ['make', 'start', 'sync', 'ready'] as const
const STOPPED = ['stopping', 'stopped'] as const
const REMOVED = ['removing', 'gone'] as const

interface Progress {
  readonly steps: readonly ProgressStepName[]
  /** How many steps are done. */
  readonly done: number
  readonly current: ProgressStepState
  /** Whether it ends without anybody's doing. */
  readonly isTransitional: boolean
}

const PROGRESS: Readonly<Record<NodePhase, Progress>> = {
  pending: { steps: STARTED, done: 0, current: 'now', isTransitional: true },
  starting: { steps: STARTED, done: 1, current: 'now', isTransitional: true },
  syncing: { steps: STARTED, done: 2, current: 'now', isTransitional: true },
  updating: { steps: STARTED, done: 3, current: 'now', isTransitional: true },
  ready: { steps: STARTED, done: 4, current: 'next', isTransitional: false },
  degraded: { steps: STARTED, done: 3, current: 'trouble', isTransitional: false },
  failed: { steps: STARTED, done: 0, current: 'trouble', isTransitional: false },
  stopping: { steps: STOPPED, done: 0, current: 'now', isTransitional: true },
  stopped: { steps: STOPPED, done: 2, current: 'next', isTransitional: false },
  removing: { steps: REMOVED, done: 0, current: 'now', isTransitional: true },
}

export function isTransitional(phase: NodePhase): boolean {
  return PROGRESS[phase].isTransitional
}

/** The steps to the requested state, and how far it has come. */
export function progressSteps(phase: NodePhase, conditions: readonly Pick<Condition, 'type' | 'status'>[]): ProgressStep[] {
  const { steps, done, current } = PROGRESS[phase]
  const at = phase === 'failed' && isProvisioned(conditions) ? 1 : done
  return steps.map((name, index) => ({ name, state: index < at ? 'done' : index === at ? current : 'next' }))
}

/** The first condition that is not true: a condition comes after those it depends on. */
export function blockingCondition(conditions: readonly Condition[]): Condition | undefined {
  const unmet = conditions.filter(({ status }) => status !== 'true')
  // A message of the node software helps more than a later condition that is unknown.
  return unmet.find(({ status, message }) => status === 'false' && message) ?? unmet.find(({ message }) => message) ?? unmet[0]
}

export function isEvm(chain: string): boolean {
  return chainOfImage(chain)?.family === 'evm'
}

/** A private chain, on which only the user makes blocks. */
export function isDevelopmentNetwork(network: string): boolean {
  return network === 'regtest' || network === 'dev'
}

function isProvisioned(conditions: readonly Pick<Condition, 'type' | 'status'>[]): boolean {
  return conditions.some(({ type, status }) => type === 'Provisioned' && status === 'true')
}
