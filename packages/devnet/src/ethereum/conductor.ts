import { setTimeout as delay } from 'node:timers/promises'
import type { EthereumRpc } from './ethereum-rpc.js'
import { type AnvilBlock, blockAt, follow, transactionsOf } from './follower.js'
import { offer, share } from './pending.js'

/** A node, as it was just now. */
export interface PlayerStatus {
  /** Another one each time the node is started. */
  readonly node: EthereumRpc
  readonly rpc: EthereumRpc
  readonly height: number
  readonly hash: string
  readonly timestamp: number
  readonly hasWaiting: boolean
}

/** Where a node is, asked each time: a node that comes back is another one, that may have lost its chain. */
export type Player = () => EthereumRpc

export interface Patience {
  /** Whoever does not answer for so long has fallen out. */
  readonly lookMs: number
  /** And nobody waits longer for one that falls out in the middle of something. */
  readonly workMs: number
}

const BEAT_MS = 400
const PATIENCE: Patience = { lookMs: 1500, workMs: 5000 }

/** Keeps nodes that know nothing of each other on one chain: one leads and makes the blocks, the others make the same ones after it. */
export class Conductor {
  private leader?: EthereumRpc
  private queue: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly players: readonly Player[],
    private readonly patience = PATIENCE,
  ) {}

  /** Makes a block, once all are in step; and has the others make it. Answers with the block of the leader. */
  mine(before?: (leader: EthereumRpc) => Promise<void>): Promise<AnvilBlock> {
    return this.withLeader(async (leader, followers) => {
      await before?.(leader.rpc)
      await share([leader, ...followers].map(({ rpc }) => rpc))
      const now = Math.floor(Date.now() / 1000)
      await leader.rpc.call('evm_mine', Math.max(now, leader.timestamp + 1))
      return (await blockAt(leader.rpc, 'latest')) as AnvilBlock
    })
  }

  /** Looks who is there, passes on what waits, and brings everybody to the chain of the leader. */
  keep(): Promise<void> {
    return this.inTurn(async () => {
      const [first, ...rest] = await this.look()
      if (!first) return
      if ([first, ...rest].some(({ hasWaiting }) => hasWaiting)) await share([first, ...rest].map(({ rpc }) => rpc))
      await bringAlong(
        first,
        rest.filter(({ hash }) => hash !== first.hash),
      )
    })
  }

  /** Takes the newest blocks back from all. Their transactions are lost. */
  rollback(depth: number): Promise<void> {
    const work = async ({ rpc }: PlayerStatus) => {
      await rpc.call('anvil_rollback', depth)
    }
    return this.withLeader(work, { lose: true })
  }

  /** Puts as many other blocks, and one more, in the place of the newest. Their transactions wait for the next ones, unless they are to be lost. */
  reorganize(depth: number, { lose = false } = {}): Promise<void> {
    const work = async ({ rpc, timestamp }: PlayerStatus) => {
      const orphans = await transactionsOf(rpc, depth)
      await rpc.call('anvil_rollback', depth)
      if (!lose) await offer(rpc, orphans)
      for (let second = 1; second <= depth + 1; second++) await rpc.call('evm_mine', timestamp + second)
    }
    return this.withLeader(work, { lose })
  }

  /** Keeps them together until told to stop; `onBeat` may make blocks. */
  async conduct(signal: AbortSignal, onBeat: () => Promise<unknown> = async () => {}): Promise<void> {
    while (!signal.aborted) {
      // A node that goes in the middle of it is missed by the next look.
      await this.keep()
        .then(onBeat)
        .catch(() => {})
      await delay(BEAT_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Does something while nothing else goes on. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work)
    this.queue = result.catch(() => {})
    return result
  }

  /** Those that answer, the leader first. */
  private async look(): Promise<PlayerStatus[]> {
    const sights = await Promise.all(this.players.map((player) => sightOf(player, this.patience)))
    const present = sights.filter((sight) => sight !== undefined)
    const leader = leaderOf(present, this.leader)
    this.leader = leader?.node ?? this.leader
    return leader ? [leader, ...present.filter((sight) => sight !== leader)] : []
  }

  private withLeader<T>(
    work: (leader: PlayerStatus, followers: readonly PlayerStatus[]) => Promise<T>,
    orphans?: { lose: boolean },
  ): Promise<T> {
    return this.inTurn(async () => {
      const [leader, ...followers] = await this.look()
      if (!leader) throw new Error('None of the nodes answers.')
      const result = await work(leader, followers)
      await bringAlong(leader, followers, orphans)
      return result
    })
  }
}

/** Whoever led already; else the one that is furthest. */
export function leaderOf<T extends Pick<PlayerStatus, 'node' | 'height'>>(present: readonly T[], before?: EthereumRpc): T | undefined {
  const highest = Math.max(...present.map(({ height }) => height))
  return present.find(({ node }) => node === before) ?? present.find(({ height }) => height === highest)
}

async function sightOf(player: Player, { lookMs, workMs }: Patience): Promise<PlayerStatus | undefined> {
  try {
    const node = player()
    const quick = node.within(lookMs)
    const [block, { pending, queued }] = await Promise.all([
      quick.call<AnvilBlock>('eth_getBlockByNumber', 'latest', false),
      quick.call<{ pending: string; queued: string }>('txpool_status'),
    ])
    const hasWaiting = Number(pending) + Number(queued) > 0
    return {
      node,
      rpc: node.within(workMs),
      height: Number(block.number),
      hash: block.hash,
      timestamp: Number(block.timestamp),
      hasWaiting,
    }
  } catch {
    return undefined
  }
}

async function bringAlong({ rpc: leader }: PlayerStatus, followers: readonly PlayerStatus[], orphans?: { lose: boolean }): Promise<void> {
  // One that falls out takes nobody with it.
  await Promise.allSettled(followers.map(({ rpc }) => follow(rpc, leader, orphans)))
}
