import { chainOfImage } from '@trestle/contracts/chains/chains'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { Node } from '@trestle/contracts/nodes/nodes'
import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'

/** What somebody has: a node, or a cluster of several. */
export type WorkloadKind = 'node' | 'cluster'
export type Workload = Node | Cluster

/** What has happened, what happens, what is to come; `trouble`: it does not go on by itself. */
type ProgressStepState = 'done' | 'now' | 'trouble' | 'next'
export type ProgressStepName = 'make' | 'start' | 'sync' | 'ready' | 'stopping' | 'stopped' | 'removing' | 'gone'
export interface ProgressStep {
  readonly name: ProgressStepName
  readonly state: ProgressStepState
}

const STARTED = ['make', 'start', 'sync', 'ready'] as const
const UNDER_WAY: readonly NodePhase[] = ['pending', 'starting', 'syncing', 'updating', 'stopping', 'removing']

/** Whether something is being done that will come to an end. */
export function isTransitional(phase: NodePhase): boolean {
  return UNDER_WAY.includes(phase)
}

/** The way to where it is wanted, and how far it has come. */
export function progressSteps(phase: NodePhase, conditions: readonly Pick<Condition, 'type' | 'status'>[]): ProgressStep[] {
  if (phase === 'stopping') return steps(['stopping', 'stopped'], 0, 'now')
  if (phase === 'stopped') return steps(['stopping', 'stopped'], 2, 'next')
  if (phase === 'removing') return steps(['removing', 'gone'], 0, 'now')
  if (phase === 'ready') return steps(STARTED, 4, 'next')
  if (phase === 'failed') return steps(STARTED, isMade(conditions) ? 1 : 0, 'trouble')
  if (phase === 'degraded') return steps(STARTED, 3, 'trouble')
  return steps(STARTED, { pending: 0, starting: 1, syncing: 2, updating: 3 }[phase], 'now')
}

/** The first thing in the way: what it depends on comes first. */
export function blockingCondition(conditions: readonly Condition[]): Condition | undefined {
  const inTheWay = conditions.filter(({ status }) => status !== 'true')
  // What is told of its program helps more than that a later thing is not known yet.
  return inTheWay.find(({ status, message }) => status === 'false' && message) ?? inTheWay.find(({ message }) => message) ?? inTheWay[0]
}

export function isEvm(chain: string): boolean {
  return chainOfImage(chain)?.family === 'evm'
}

/** Nobody else makes blocks of a chain of one's own. */
export function isDevelopmentNetwork(network: string): boolean {
  return network === 'regtest' || network === 'dev'
}

function isMade(conditions: readonly Pick<Condition, 'type' | 'status'>[]): boolean {
  return conditions.some(({ type, status }) => type === 'Provisioned' && status === 'true')
}

function steps(names: readonly ProgressStepName[], at: number, state: ProgressStepState): ProgressStep[] {
  return names.map((name, index) => ({ name, state: index < at ? 'done' : index === at ? state : 'next' }))
}
