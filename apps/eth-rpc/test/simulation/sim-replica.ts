import { SimGateway } from './sim-gateway.js'
import type { SimNode } from './sim-node.js'
import type { SimSharedState } from './sim-shared-state.js'

const START_MS = 500

/** A replica of the gateway, over its restarts. */
export class SimReplica {
  gateway: SimGateway
  /** The newest block that a caller knows from here. */
  told = 0

  constructor(
    private readonly nodes: readonly SimNode[],
    private readonly settings: { readonly pollMs: number; readonly priorities: readonly number[]; readonly shared: SimSharedState },
  ) {
    this.gateway = new SimGateway(nodes, settings)
    void this.gateway.start()
  }

  get isServing(): boolean {
    return this.gateway.isServing
  }

  get head(): number {
    return this.gateway.tracker.chain.head?.number ?? -1
  }

  /** As by SIGKILL; another process is started in its place. */
  kill(): void {
    this.gateway.kill()
    this.restart()
  }

  /** Another process, where the former has ended. */
  restart(): void {
    this.gateway = new SimGateway(this.nodes, this.settings)
    const { gateway } = this
    setTimeout(() => void gateway.start(), START_MS)
  }
}
