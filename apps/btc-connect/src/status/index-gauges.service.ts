import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { type CollectFunction, Gauge } from 'prom-client'
import { ShortCache } from '../node/short-cache.engine.js'
import { StatusRepository } from './status.repository.js'
import { type IndexProgress, syncStatusOf } from './sync-status.js'

/** The gauges of one scrape are of one moment. */
const KEPT_MS = 500

/** How far the index is, as metrics; whatever the role of the process. */
@Injectable()
export class IndexGaugesService {
  private readonly states = new ShortCache<'state', IndexProgress | undefined>(KEPT_MS)

  constructor(
    private readonly index: StatusRepository,
    metrics: Metrics,
  ) {
    const registers = [metrics.registry]
    new Gauge({
      name: 'index_height',
      help: 'The last block that is served.',
      collect: this.collecting(({ height }) => height ?? 0),
      registers,
    })
    new Gauge({
      name: 'index_node_height',
      help: 'The last block of the node, or the one it is on its way to, as the writer saw it.',
      collect: this.collecting(({ nodeHeight }) => nodeHeight),
      registers,
    })
    new Gauge({
      name: 'index_blocks_left',
      help: 'Blocks that are not read yet.',
      collect: this.collecting((state) => syncStatusOf(state).blocksLeft),
      registers,
    })
    new Gauge({
      name: 'index_failing',
      help: '1 while something is wrong with the node or the index.',
      collect: this.collecting((state) => (syncStatusOf(state).status === 'error' ? 1 : 0)),
      registers,
    })
  }

  private collecting(read: (state: IndexProgress) => number): CollectFunction<Gauge> {
    // Without Postgres there is nothing to tell; readiness says so.
    const find = () => this.states.get('state', () => this.index.findState()).catch(() => undefined)
    return async function collect() {
      const state = await find()
      if (state) this.set(read(state))
    }
  }
}
