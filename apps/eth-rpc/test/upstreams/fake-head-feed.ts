import type { Block, ChainView } from '../../src/heads/chain-view.js'
import { HeadFeed, type UpstreamSight } from '../../src/heads/head-feed.js'

/** Shows the chain and the upstreams as a test wants them. */
export class FakeHeadFeed extends HeadFeed {
  readonly upstreams = new Map<string, UpstreamSight>()
  readonly blocks = new Map<number, Block>()

  constructor(names: readonly string[], head = 100) {
    super()
    for (const name of names) this.see(name, { head })
    this.grow(head)
  }

  get chain(): ChainView {
    const head = this.blocks.get(Math.max(...this.blocks.keys()))
    const byHash = (hash: string) => [...this.blocks.values()].find((block) => block.hash === hash)
    return { head, at: (number: number) => this.blocks.get(number), byHash } as ChainView
  }

  see(name: string, sight: Partial<UpstreamSight>): void {
    this.upstreams.set(name, { name, head: 100, leads: false, agrees: true, usable: true, ...this.upstreams.get(name), ...sight })
  }

  grow(number: number, hash = `0xhash${number}`): void {
    this.blocks.set(number, { number, hash, parentHash: '', header: '{}', seenAt: 0 })
  }

  async ready(): Promise<void> {}
  onChange = () => () => undefined
  onLogs = () => () => undefined
  onPending = () => () => undefined
  onSyncing = () => () => undefined
}
