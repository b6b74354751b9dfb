import type { SimNetwork } from './sim-network.js'
import type { SimReplica } from './sim-replica.js'
import type { VirtualTime } from './virtual-time.js'

/** What the callers of one run share. */
export interface SimRun {
  readonly network: SimNetwork
  readonly time: VirtualTime
  readonly replicas: readonly SimReplica[]
  readonly counts: Record<'calls' | 'answered' | 'refused' | 'logs' | 'heads' | 'connections' | 'kills', number>
  violate(text: string): void
}

/** One call, counted. */
export async function callAt({ counts, violate }: SimRun, { gateway }: SimReplica, method: string, ...params: unknown[]) {
  counts.calls++
  const { result, error } = await gateway.call(method, ...params)
  if (error) counts.refused++
  else counts.answered++
  if (error?.code === -32_603) violate(`${method} fails with ${error.message}`)
  return result
}

/** Again and again, until `isOver`. */
export function repeat({ pause, run, isOver }: { pause: () => number; run: () => unknown; isOver: () => boolean }): void {
  const again = () => {
    if (isOver()) return
    run()
    setTimeout(again, pause())
  }
  setTimeout(again, pause())
}
