import { transactionHash } from '../../src/upstreams/transaction-hash.js'
import { ancestorAt, type SimBlock, type SimTransaction, simBlock } from './sim-chain.js'
import { type SimFaults, SimNode } from './sim-node.js'
import { pick, seededRandom } from './sim-random.js'
import type { VirtualTime } from './virtual-time.js'

/** A minority's branch is a reorganization to come, until the others have shown theirs. */
const FORK_MS = 8_000
/** So long after a reorganization some may not have heard of it. */
const ORPHAN_MS = 10_000
const SPREAD_MS = 600

interface Known {
  readonly block: SimBlock
  /** Until when an answer may be about it. */
  until: number
}

/** A chain, and nodes of which less than half go wrong; of two, one. */
export class SimNetwork {
  readonly counts = { blocks: 0, reorgs: 0, faults: 0 }
  readonly nodes: readonly SimNode[]
  readonly faulty: readonly SimNode[]
  head: SimBlock
  private readonly known = new Map<string, Known>()
  private readonly byNumber = new Map<number, Known[]>()
  private readonly forkEnds = new Map<SimNode, number>()
  private readonly foreign = new Set<SimNode>()
  /** Transactions that were sent, by sender. */
  private readonly sent = new Map<string, SimTransaction[]>()
  private readonly random: () => number
  private readonly faults: () => number
  private readonly spreading: () => number
  private made = 0

  constructor(
    seed: number,
    private readonly time: VirtualTime,
  ) {
    // What is asked does not change what goes wrong.
    this.random = seededRandom(seed)
    this.faults = seededRandom(seed + 0x1000_0000)
    this.spreading = seededRandom(seed + 0x2000_0000)
    this.head = this.register(simBlock(undefined, { salt: seed, timestamp: 1_700_000_000, logs: 0 }), Number.POSITIVE_INFINITY)
    while (this.head.number < 12) this.mine()
    const count = 2 + Math.floor(this.random() * 6)
    this.nodes = Array.from({ length: count }, (_, index) => this.node(index, seededRandom(seed + 0x3000_0000 + index)))
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

  /** Something goes wrong with one of the faulty. */
  disturb(): void {
    const node = pick(this.faulty, this.faults)
    this.counts.faults++
    this.heal(node)
    const { faults } = this
    const ways: (() => SimFaults | undefined)[] = [
      () => undefined,
      () => ({ lag: 1 + Math.floor(faults() * 6) }),
      () => ({ falseHead: 1 + Math.floor(faults() ** 3 * 1_000_000) }),
      () => ({ falseHead: 1 + Math.floor(faults() * 30), forgedHash: true }),
      () => ({ lostLogsFrom: Math.max(0, this.head.number - 2) }),
      () => ({ lies: true }),
      () => ({ nulls: true }),
      () => ({ hangs: true }),
      () => ({ resets: true }),
      () => ({ limited: true }),
      () => this.swapChain(node),
      // Of two nodes nobody could say which is right.
      () => (this.nodes.length > 2 ? this.beginFork(node) : undefined),
    ]
    node.faults = pick(ways, faults)() ?? {}
  }

  heal(node: SimNode): void {
    node.faults = {}
    this.foreign.delete(node)
    this.forkEnds.delete(node)
    node.head = this.head
  }

  /** Whether an answer to a question of then may be about this block. */
  isCurrent(hash: string, askedAt: number): boolean {
    return (this.known.get(hash)?.until ?? 0) >= askedAt
  }

  block(hash: string): SimBlock | undefined {
    return this.known.get(hash)?.block
  }

  /** Blocks that an answer to a question of then may be about. */
  candidates(number: number, askedAt: number): SimBlock[] {
    return (this.byNumber.get(number) ?? []).filter(({ until }) => until >= askedAt).map(({ block }) => block)
  }

  /** The highest of them. */
  get highest(): number {
    let highest = this.head.number
    while (this.candidates(highest + 1, this.time.now).length > 0) highest++
    return highest
  }

  private node(index: number, random: () => number): SimNode {
    const node = new SimNode(`n${index}`, this.head, () => 2 + random() ** 4 * 300)
    node.onTransaction = (raw) => this.accept(node, raw)
    return node
  }

  /** The others hear of it. */
  private accept(node: SimNode, raw: string): SimTransaction | undefined {
    const hash = transactionHash(raw)
    if (!hash) return undefined
    const sender = `0x${raw.slice(4, 44)}`
    const transaction = { hash, sender, nonce: Number(`0x${raw.slice(44, 60)}`) }
    const all = this.sent.get(sender) ?? []
    if (transaction.nonce === all.length) this.sent.set(sender, [...all, transaction])
    const learn = (learning: SimNode) => learning.known.set(sender, Math.max(learning.known.get(sender) ?? 0, transaction.nonce + 1))
    node.accepted.add(hash)
    learn(node)
    for (const other of this.nodes) if (other !== node) setTimeout(() => learn(other), SPREAD_MS * this.spreading())
    return transaction
  }

  private mine(parent = this.head): void {
    this.made++
    this.counts.blocks++
    const logs = Math.floor(this.random() * 3)
    const waiting = [...this.sent].flatMap(([sender, all]) => all.slice(parent.nonces[sender] ?? 0))
    const sent = this.random() < 0.7 ? waiting : []
    const block = simBlock(parent, { salt: this.made, timestamp: Number(parent.shown.timestamp) + 1, logs, sent })
    this.head = this.register(block, Number.POSITIVE_INFINITY)
  }

  /** The new branch is longer: the chain never goes back. */
  private reorganize(depth: number): void {
    this.counts.reorgs++
    const { head } = this
    const parent = ancestorAt(head, head.number - depth)
    for (let orphan: SimBlock | undefined = head; orphan && orphan !== parent; orphan = orphan.parent) {
      const known = this.known.get(orphan.hash)
      if (known) known.until = this.time.now + ORPHAN_MS
    }
    for (let block = 0; block <= depth; block++) this.mine(block === 0 ? parent : this.head)
  }

  private register(block: SimBlock, until: number): SimBlock {
    const known = { block, until }
    this.known.set(block.hash, known)
    this.byNumber.set(block.number, [...(this.byNumber.get(block.number) ?? []), known])
    return block
  }

  private spread(node: SimNode, head: SimBlock): void {
    setTimeout(() => {
      if (!this.forkEnds.has(node) && !this.foreign.has(node) && head.number >= node.head.number) node.head = head
    }, SPREAD_MS * this.spreading())
  }

  private beginFork(node: SimNode): undefined {
    this.forkEnds.set(node, this.time.now + FORK_MS)
  }

  private fork(node: SimNode): void {
    const { head } = node
    const block = simBlock(head, { salt: `fork ${node.name} ${this.made}`, timestamp: Number(head.shown.timestamp) + 1, logs: 1 })
    node.head = this.register(block, this.forkEnds.get(node) ?? 0)
  }

  /** It is away, and comes back as a node of another chain. */
  private swapChain(node: SimNode): SimFaults {
    const away: SimFaults = { resets: true }
    setTimeout(() => {
      // Long enough for whoever polls to notice: of a node that swaps between two calls nobody could tell.
      if (node.faults !== away) return
      node.head = FOREIGN_HEAD
      node.faults = { chainId: 5 }
    }, 3_000)
    this.foreign.add(node)
    return away
  }
}

const FOREIGN_HEAD = foreignChain()

function foreignChain(): SimBlock {
  let head = simBlock(undefined, { salt: 'foreign', timestamp: 1, logs: 0 })
  for (let block = 0; block < 60; block++) head = simBlock(head, { salt: 'foreign', timestamp: 2 + block, logs: 1 })
  return head
}
