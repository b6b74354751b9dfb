import { ancestorAt, type SimBlock, simBlock } from './sim-chain.js'
import { type SimFaults, SimNode } from './sim-node.js'
import type { VirtualTime } from './virtual-time.js'

/** A minority's branch is a reorganization to come, until the others have shown theirs. */
const FORK_MS = 8_000

/** A chain, and nodes of which less than half go wrong; of two, one. */
export class SimNetwork {
  readonly counts = { blocks: 0, reorgs: 0, faults: 0 }
  readonly nodes: readonly SimNode[]
  readonly faulty: readonly SimNode[]
  /** All blocks that were ever of the chain, by hash. */
  readonly real = new Map<string, SimBlock>()
  head: SimBlock
  private readonly forked = new Map<string, { readonly block: SimBlock; readonly until: number }>()
  private readonly forkEnds = new Map<SimNode, number>()
  private readonly foreign = new Set<SimNode>()
  private made = 0

  constructor(
    seed: number,
    private readonly random: () => number,
    private readonly time: VirtualTime,
  ) {
    this.head = this.register(simBlock(undefined, { salt: seed, timestamp: 1_700_000_000, logs: 0 }))
    while (this.head.number < 12) this.mine()
    const count = 2 + Math.floor(random() * 6)
    this.nodes = Array.from({ length: count }, (_, index) => new SimNode(`n${index}`, this.head, () => 2 + random() ** 4 * 300))
    this.faulty = this.nodes.slice(0, Math.max(1, Math.ceil(count / 2) - 1))
  }

  /** A block, or a reorganization, that reaches the nodes one after another. */
  grow(): void {
    if (this.random() < 0.06) this.reorganize(1 + Math.floor(this.random() * 3))
    else this.mine()
    for (const node of this.nodes) {
      if (this.forkEnds.has(node)) this.fork(node)
      else this.spread(node, this.head)
    }
  }

  private mine(parent = this.head): void {
    this.made++
    this.counts.blocks++
    const logs = Math.floor(this.random() * 3)
    this.head = this.register(simBlock(parent, { salt: this.made, timestamp: Number(parent.shown.timestamp) + 1, logs }))
  }

  /** The new branch is longer: the chain never goes back. */
  private reorganize(depth: number): void {
    this.counts.reorgs++
    const parent = ancestorAt(this.head, this.head.number - depth)
    for (let block = 0; block <= depth; block++) this.mine(block === 0 ? parent : this.head)
  }

  private register(block: SimBlock): SimBlock {
    this.real.set(block.hash, block)
    return block
  }

  private spread(node: SimNode, head: SimBlock): void {
    setTimeout(() => {
      if (!this.forkEnds.has(node) && !this.foreign.has(node) && head.number >= node.head.number) node.head = head
    }, 600 * this.random())
  }

  /** Something goes wrong with one of the faulty. */
  disturb(): void {
    const node = this.faulty[Math.floor(this.random() * this.faulty.length)]
    if (!node) return
    this.counts.faults++
    this.heal(node)
    const faults: (() => SimFaults | undefined)[] = [
      () => undefined,
      () => ({ lag: 1 + Math.floor(this.random() * 6) }),
      () => ({ falseHead: 1 + Math.floor(this.random() ** 3 * 1_000_000) }),
      () => ({ falseHead: 1 + Math.floor(this.random() * 30), forgedHash: true }),
      () => ({ lostLogsFrom: Math.max(0, this.head.number - 2) }),
      () => ({ nulls: true }),
      () => ({ hangs: true }),
      () => ({ resets: true }),
      () => this.swapChain(node),
      // Of two nodes nobody could say which is right.
      () => (this.nodes.length > 2 ? this.beginFork(node) : undefined),
    ]
    node.faults = faults[Math.floor(this.random() * faults.length)]?.() ?? {}
  }

  heal(node: SimNode): void {
    node.faults = {}
    this.foreign.delete(node)
    this.forkEnds.delete(node)
    node.head = this.head
  }

  private beginFork(node: SimNode): undefined {
    this.forkEnds.set(node, this.time.now + FORK_MS)
  }

  private fork(node: SimNode): void {
    const { head } = node
    const block = simBlock(head, { salt: `fork ${node.name} ${this.made}`, timestamp: Number(head.shown.timestamp) + 1, logs: 1 })
    this.forked.set(block.hash, { block, until: this.forkEnds.get(node) ?? 0 })
    node.head = block
  }

  /** It is away, and comes back as a node of another chain. */
  private swapChain(node: SimNode): SimFaults {
    setTimeout(() => {
      if (!node.faults.resets || !this.foreign.has(node)) return
      let head = simBlock(undefined, { salt: 'foreign', timestamp: 1, logs: 0 })
      for (let block = 0; block < 60; block++) head = simBlock(head, { salt: 'foreign', timestamp: 2 + block, logs: 1 })
      node.head = head
      node.faults = { chainId: 5 }
    }, 3_000)
    this.foreign.add(node)
    return { resets: true }
  }

  /** Blocks that an answer may be about. */
  allowed(number: number): SimBlock[] {
    return [...this.real.values(), ...this.forks()].filter((block) => block.number === number)
  }

  forks(): SimBlock[] {
    return [...this.forked.values()].filter(({ until }) => this.time.now < until).map(({ block }) => block)
  }
}
