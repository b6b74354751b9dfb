import { setTimeout as delay } from 'node:timers/promises'
import type { EthereumRpc } from './ethereum-rpc.js'
import { type AnvilBlock, blockAt, follow, transactionsOf } from './follower.js'
import { sharePending, submitTransactions } from './pending.js'

/** The state of a node when it was last asked. */
interface NodeSnapshot {
  /** A new object each time the node starts. */
  readonly node: EthereumRpc
  readonly rpc: EthereumRpc
  readonly height: number
  readonly hash: string
  readonly timestamp: number
  readonly hasPending: boolean
}

/** Returns the current RPC of a node: a restarted node is a new one that may have lost its chain. */
type NodeSource = () => EthereumRpc

export interface NodeTimeouts {
  /** A node that does not answer in this time is absent. */
  readonly statusMs: number
  /** The time limit of each operation on a present node. */
  readonly workMs: number
}

const INTERVAL_MS = 400
const DEFAULT_TIMEOUTS: NodeTimeouts = { statusMs: 1500, workMs: 5000 }

/** Keeps unconnected nodes on one chain: the leader makes the blocks, the others replay them. */
export class ChainSynchronizer {
  private leader?: EthereumRpc
  private queue: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly sources: readonly NodeSource[],
    private readonly timeouts = DEFAULT_TIMEOUTS,
  ) {}

  /** Makes a block on the leader once all nodes agree, then on the others; returns the leader's block. */
  mine(before?: (leader: EthereumRpc) => Promise<void>): Promise<AnvilBlock> {
    return this.withLeader(async (leader, followers) => {
      await before?.(leader.rpc)
      await sharePending([leader, ...followers].map(({ rpc }) => rpc))
      const now = Math.floor(Date.now() / 1000)
      await leader.rpc.call('evm_mine', Math.max(now, leader.timestamp + 1))
      const block = await blockAt(leader.rpc, 'latest')
      if (!block) throw new Error('The leader has no block.')
      return block
    })
  }

  /** Shares pending transactions and moves every present node to the leader's chain. */
  synchronize(): Promise<void> {
    return this.exclusively(async () => {
      const [first, ...rest] = await this.listPresent()
      if (!first) return
      if ([first, ...rest].some(({ hasPending }) => hasPending)) await sharePending([first, ...rest].map(({ rpc }) => rpc))
      await followLeader(
        first,
        rest.filter(({ hash }) => hash !== first.hash),
      )
    })
  }

  /** Removes the newest blocks from every node. Their transactions are lost. */
  rollback(depth: number): Promise<void> {
    const work = async ({ rpc }: NodeSnapshot) => {
      await rpc.call('anvil_rollback', depth)
    }
    return this.withLeader(work, { lose: true })
  }

  /** Replaces the newest blocks by as many others and one more. Their transactions become pending again unless `lose` is set. */
  reorganize(depth: number, { lose = false } = {}): Promise<void> {
    const work = async ({ rpc, timestamp }: NodeSnapshot) => {
      const orphans = await transactionsOf(rpc, depth)
      await rpc.call('anvil_rollback', depth)
      if (!lose) await submitTransactions(rpc, orphans)
      for (let second = 1; second <= depth + 1; second++) await rpc.call('evm_mine', timestamp + second)
    }
    return this.withLeader(work, { lose })
  }

  /** Synchronizes until aborted; `afterEach` may make blocks. */
  async run(signal: AbortSignal, afterEach: () => Promise<unknown> = async () => {}): Promise<void> {
    while (!signal.aborted) {
      // A node that disappears meanwhile is absent in the next round.
      await this.synchronize()
        .then(afterEach)
        .catch(() => {})
      await delay(INTERVAL_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Runs one operation at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work)
    this.queue = result.catch(() => {})
    return result
  }

  /** The nodes that answer, leader first. */
  private async listPresent(): Promise<NodeSnapshot[]> {
    const snapshots = await Promise.all(this.sources.map((source) => snapshotOf(source, this.timeouts)))
    const present = snapshots.filter((snapshot) => snapshot !== undefined)
    const leader = leaderOf(present, this.leader)
    this.leader = leader?.node ?? this.leader
    return leader ? [leader, ...present.filter((snapshot) => snapshot !== leader)] : []
  }

  private withLeader<T>(
    work: (leader: NodeSnapshot, followers: readonly NodeSnapshot[]) => Promise<T>,
    orphans?: { lose: boolean },
  ): Promise<T> {
    return this.exclusively(async () => {
      const [leader, ...followers] = await this.listPresent()
      if (!leader) throw new Error('None of the nodes answers.')
      const result = await work(leader, followers)
      await followLeader(leader, followers, orphans)
      return result
    })
  }
}

/** The previous leader if present, else the highest node. */
export function leaderOf<T extends Pick<NodeSnapshot, 'node' | 'height'>>(present: readonly T[], before?: EthereumRpc): T | undefined {
  const highest = Math.max(...present.map(({ height }) => height))
  return present.find(({ node }) => node === before) ?? present.find(({ height }) => height === highest)
}

async function snapshotOf(source: NodeSource, { statusMs, workMs }: NodeTimeouts): Promise<NodeSnapshot | undefined> {
  try {
    const node = source()
    const quick = node.within(statusMs)
    const [block, { pending, queued }] = await Promise.all([
      quick.call<AnvilBlock>('eth_getBlockByNumber', 'latest', false),
      quick.call<{ pending: string; queued: string }>('txpool_status'),
    ])
    const hasPending = Number(pending) + Number(queued) > 0
    return {
      node,
      rpc: node.within(workMs),
      height: Number(block.number),
      hash: block.hash,
      timestamp: Number(block.timestamp),
      hasPending,
    }
  } catch {
    return undefined
  }
}

async function followLeader({ rpc: leader }: NodeSnapshot, followers: readonly NodeSnapshot[], orphans?: { lose: boolean }): Promise<void> {
  // A node that fails does not stop the others.
  await Promise.allSettled(followers.map(({ rpc }) => follow(rpc, leader, orphans)))
}
