import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'
import { Recent } from '../node/recent.js'
import { StatusRepository } from './status.repository.js'
import { type IndexState, syncStatusOf } from './sync-status.js'

/** The gauges of one scrape are of one moment. */
const KEPT_MS = 500

/** How far the index is, as metrics; whatever the role of the process. */
@Injectable()
export class IndexGauges {
  private readonly states = new Recent<'state', IndexState | undefined>(KEPT_MS)

  constructor(
    private readonly index: StatusRepository,
    private readonly metrics: Metrics,
  ) {
    this.gauge('index_height', 'The last block that is served.', ({ height }) => height ?? 0)
    this.gauge('index_node_height', 'The last block of the node, as the writer saw it.', ({ nodeHeight }) => nodeHeight)
    this.gauge('index_blocks_left', 'Blocks that are not read yet.', (state) => syncStatusOf(state).blocksLeft)
    this.gauge('index_failing', '1 while something is wrong with the node or the index.', (state) =>
      syncStatusOf(state).status === 'error' ? 1 : 0,
    )
  }

  private gauge(name: string, help: string, read: (state: IndexState) => number): void {
    const collect = async () => {
      // Without Postgres there is nothing to tell; readiness says so.
      const state = await this.states.get('state', () => this.index.findState()).catch(() => undefined)
      if (state) gauge.set(read(state))
    }
    const gauge = new Gauge({ name, help, registers: [this.metrics.registry], collect })
  }
}
