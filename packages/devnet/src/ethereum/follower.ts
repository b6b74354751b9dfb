import { NodeRpcError } from '../chains/node-rpc.js'
import type { EthereumRpc } from './ethereum-rpc.js'
import { drainPool, signedOf, submitTransactions } from './pending.js'

export interface AnvilBlock {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  /** Only where the rules of London hold. */
  readonly baseFeePerGas?: string
  readonly transactions: readonly string[]
}

// What is further apart is not walked block by block.
const FAR = 512
// The blocks that are replayed in one go: the leader goes on meanwhile.
const GO = 128

export function blockAt(node: EthereumRpc, block: number | 'latest' | 'pending'): Promise<AnvilBlock | null> {
  return node.call('eth_getBlockByNumber', typeof block === 'number' ? hex(block) : block, false)
}

/** The transactions of the newest blocks, oldest first. */
export async function transactionsOf(node: EthereumRpc, blocks: number): Promise<string[]> {
  const height = await heightOf(node)
  const heights = Array.from({ length: blocks }, (_, i) => height - blocks + 1 + i).filter((each) => each > 0)
  const found = await Promise.all(heights.map((each) => blockAt(node, each)))
  return signedOf(
    node,
    found.flatMap((block) => block?.transactions ?? []),
  )
}

/**
 * Brings a node to the chain of another. The same transactions in the same order at the same time make the same blocks, so they are
 * carried out again; where that is too much, or what a node was told by hand made them come out otherwise, it is given the other's chain.
 * The transactions of blocks that it takes back wait again, at the leader, unless they are to be lost.
 */
export async function follow(follower: EthereumRpc, leader: EthereumRpc, { lose = false } = {}): Promise<void> {
  const [mine, theirs] = await Promise.all([heightOf(follower), heightOf(leader)])
  const common = await commonHeight(follower, leader, Math.min(mine, theirs))
  if (common === mine && mine === theirs) return
  try {
    if (common === undefined || theirs - common > FAR) throw new OutOfStep()
    const orphans = await retreat(follower, mine - common)
    if (!lose) await submitTransactions(leader, orphans)
    for (let height = common + 1; height <= Math.min(theirs, common + GO); height++) await replay(follower, leader, height)
  } catch (error) {
    if (!(error instanceof OutOfStep)) throw error
    await takeOver(follower, leader)
  }
}

class OutOfStep extends Error {}

/** The highest block that both have; nothing where it is far below. */
async function commonHeight(one: EthereumRpc, other: EthereumRpc, from: number): Promise<number | undefined> {
  for (let height = from; height >= 0 && from - height <= FAR; height--) {
    const [a, b] = await Promise.all([blockAt(one, height), blockAt(other, height)])
    if (a && b && a.hash === b.hash) return height
  }
  return undefined
}

/** Takes the newest blocks back; answers with their transactions. */
async function retreat(follower: EthereumRpc, blocks: number): Promise<string[]> {
  if (blocks === 0) return []
  const orphans = await transactionsOf(follower, blocks)
  await follower.call('anvil_rollback', blocks).catch((error) => {
    // It no longer has the state of that block.
    throw error instanceof NodeRpcError ? new OutOfStep() : error
  })
  return orphans
}

/** Makes the leader's block. */
async function replay(follower: EthereumRpc, leader: EthereumRpc, height: number): Promise<void> {
  const block = await blockAt(leader, height)
  if (!block) throw new OutOfStep()
  const others = (await wouldMake(follower, block)) ? [] : await prepare(follower, leader, block)
  await follower.call('evm_mine', Number(block.timestamp))
  await submitTransactions(follower, others)
  const made = await blockAt(follower, height)
  if (made?.hash !== block.hash) throw new OutOfStep()
}

/** Whether exactly the transactions of the block wait, in its order. */
async function wouldMake(follower: EthereumRpc, { transactions }: AnvilBlock): Promise<boolean> {
  const { pending } = await follower.call<{ pending: string }>('txpool_status')
  if (Number(pending) !== transactions.length) return false
  if (transactions.length === 0) return true
  const next = await blockAt(follower, 'pending')
  return next?.transactions.join() === transactions.join()
}

/** Has the transactions of the block wait, and no others; answers with the others. */
async function prepare(follower: EthereumRpc, leader: EthereumRpc, { transactions }: AnvilBlock): Promise<string[]> {
  const taken = await drainPool(follower)
  await submitTransactions(follower, await signedOf(leader, transactions))
  return taken.filter(({ hash }) => !transactions.includes(hash)).map(({ signed }) => signed)
}

/** Forgets all, and takes over the chain and the state of the leader. */
async function takeOver(follower: EthereumRpc, leader: EthereumRpc): Promise<void> {
  const waiting = await drainPool(follower)
  const chain = await leader.call<string>('anvil_dumpState')
  await follower.call('anvil_reset')
  await follower.call('anvil_loadState', chain)
  await submitTransactions(
    leader,
    waiting.map(({ signed }) => signed),
  )
}

async function heightOf(node: EthereumRpc): Promise<number> {
  return Number(await node.call<string>('eth_blockNumber'))
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
