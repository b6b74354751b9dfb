import type { ChainBlock, FollowedChain } from '../../src/heads/followed-chain.js'
import { HeadFeed, type UpstreamStatus } from '../../src/heads/head-feed.js'

/** Shows the chain and the upstreams as a test wants them. */
export class FakeHeadFeed extends HeadFeed {
  readonly upstreams = new Map<string, UpstreamStatus>()
  readonly blocks = new Map<number, ChainBlock>()

  constructor(names: readonly string[], head = 100) {
    super()
    for (const name of names) this.see(name, { head })
    this.grow(head)
  }

  get chain(): FollowedChain {
    const head = this.blocks.get(Math.max(...this.blocks.keys()))
    const byHash = (hash: string) => [...this.blocks.values()].find((block) => block.hash === hash)
    return { head, at: (number: number) => this.blocks.get(number), byHash } as FollowedChain
  }

  see(name: string, status: Partial<UpstreamStatus>): void {
    this.upstreams.set(name, {
      name,
      head: 100,
      isPrimary: false,
      isOnOurChain: true,
      isUsable: true,
      ...this.upstreams.get(name),
      ...status,
    })
  }

  grow(number: number, hash = `0xhash${number}`): void {
    this.blocks.set(number, { number, hash, parentHash: '', header: '{}', receivedAt: 0 })
  }

  async ready(): Promise<void> {}
  hasten(): void {}
  onChange = () => () => undefined
  onLogs = () => () => undefined
  onPending = () => () => undefined
  onSyncing = () => () => undefined
}
