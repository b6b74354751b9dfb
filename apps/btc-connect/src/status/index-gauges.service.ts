import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { type CollectFunction, Gauge } from 'prom-client'
import { ShortCache } from '../node/short-cache.engine.js'
import { StatusRepository } from './status.repository.js'
import { type IndexProgress, syncStatusOf } from './sync-status.js'

/** All gauges of one scrape show the same state. */
const KEPT_MS = 500

/** The progress of the index as metrics, in every role. */
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
      help: 'Height of the last block that is served.',
      collect: this.collecting(({ height }) => height ?? 0),
      registers,
    })
    new Gauge({
      name: 'index_node_height',
      help: 'Height of the node, or of the headers that it has while it is syncing, as last seen by the writer.',
      collect: this.collecting(({ nodeHeight }) => nodeHeight),
      registers,
    })
    new Gauge({
      name: 'index_blocks_left',
      help: 'Blocks that are not indexed yet.',
      collect: this.collecting((state) => syncStatusOf(state).blocksLeft),
      registers,
    })
    new Gauge({
      name: 'index_failing',
      help: '1 while the index cannot follow the node.',
      collect: this.collecting((state) => (syncStatusOf(state).status === 'error' ? 1 : 0)),
      registers,
    })
  }

  private collecting(read: (state: IndexProgress) => number): CollectFunction<Gauge> {
    // Without Postgres there is no value; readiness reports it.
    const find = () => this.states.get('state', () => this.index.findState()).catch(() => undefined)
    return async function collect() {
      const state = await find()
      if (state) this.set(read(state))
    }
  }
}
