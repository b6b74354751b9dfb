import type { SyncStatus } from '@trestle/contracts/btc-connect/status'

/** The progress of the index as the writer last recorded it. */
export interface IndexProgress {
  readonly phase: SyncStatus['phase']
  readonly condition: string
  readonly conditionDetail: string | null
  readonly startHeight: number
  readonly nodeHeight: number
  /** The height that is served; null while nothing is served. */
  readonly height: number | null
  /** How many blocks are loaded, whether they are served yet or not. */
  readonly blocks: number
  readonly blocksPerSecond: number | null
}

const NOT_STARTED: IndexProgress = {
  phase: 'load',
  condition: 'starting',
  conditionDetail: null,
  startHeight: 0,
  nodeHeight: 0,
  height: null,
  blocks: 0,
  blocksPerSecond: null,
}

const HEALTHY = ['starting', 'syncing', 'finished'] as const

/** The response of `/sync`; `undefined` is an index that was never started. */
export function syncStatusOf(state: IndexProgress = NOT_STARTED): SyncStatus {
  const status = HEALTHY.find((each) => each === state.condition) ?? 'error'
  const blocksLeft = blocksLeftOf(state)
  return {
    status,
    blockChainHeight: state.nodeHeight,
    syncPercentage: percentageOf(state),
    height: state.height ?? 0,
    error: status === 'error' ? (state.conditionDetail ?? state.condition) : null,
    type: 'trestle btc-connect',
    phase: state.phase,
    blocksLeft,
    blocksPerSecond: state.blocksPerSecond,
    secondsLeft: secondsLeftOf(state, blocksLeft),
    note: status === 'error' ? null : state.conditionDetail,
  }
}

/** Whole percent; 100 only when there is nothing left to do. */
function percentageOf(state: IndexProgress): number {
  if (state.condition === 'finished') return 100
  const all = state.blocks + blocksLeftOf(state)
  return all === 0 ? 0 : Math.min(99, Math.floor((100 * state.blocks) / all))
}

function blocksLeftOf({ condition, nodeHeight, startHeight, blocks }: IndexProgress): number {
  if (condition === 'starting' && blocks === 0) return 0
  return Math.max(0, nodeHeight - startHeight + 1 - blocks)
}

/** Estimated by the current rate; unknown for the merge after the load. */
function secondsLeftOf({ phase, condition, blocksPerSecond }: IndexProgress, blocksLeft: number): number | null {
  if (condition === 'finished') return 0
  if (phase === 'merge' || !blocksPerSecond) return null
  return Math.ceil(blocksLeft / blocksPerSecond)
}
