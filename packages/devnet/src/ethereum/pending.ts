import { NodeRpcError } from '../chains/node-rpc.js'
import type { EthereumRpc } from './ethereum-rpc.js'

type Pool = Readonly<Record<string, Readonly<Record<string, { readonly hash: string }>>>>

/** The transactions that wait at a node, those that cannot be carried out yet too; of one sender in their order. */
async function pendingHashes(node: EthereumRpc): Promise<string[]> {
  const { pending, queued } = await node.call<{ pending: Pool; queued: Pool }>('txpool_content')
  return [pending, queued].flatMap((pool) => Object.values(pool).flatMap((ofSender) => Object.values(ofSender).map(({ hash }) => hash)))
}

/** As they were signed; without those that are gone by now. */
export async function signedOf(node: EthereumRpc, hashes: readonly string[]): Promise<string[]> {
  const found = await node.batch<string | null>(hashes.map((hash) => ['eth_getRawTransactionByHash', hash]))
  return found.filter((signed) => signed !== null)
}

/** One after the other. What a node refuses it knows already, or better: a later transaction of the same sender. */
export async function submitTransactions(node: EthereumRpc, signed: readonly string[]): Promise<void> {
  for (const transaction of signed) {
    await node.call('eth_sendRawTransaction', transaction).catch((error) => {
      if (!(error instanceof NodeRpcError)) throw error
    })
  }
}

/** Gives each node what waits at another; the first one, which makes the blocks, before all others. */
export async function sharePending(nodes: readonly EthereumRpc[]): Promise<void> {
  const [leader, ...followers] = nodes
  if (!leader) return
  const pools = await Promise.all(followers.map(pendingHashes))
  const known = new Set(await pendingHashes(leader))
  for (const [i, follower] of followers.entries()) {
    const news = (pools[i] ?? []).filter((hash) => !known.has(hash))
    if (news.length > 0) await submitTransactions(leader, await signedOf(follower, news))
  }
  const all = await pendingHashes(leader)
  await Promise.all(
    followers.map(async (follower, i) => {
      const missing = all.filter((hash) => !pools[i]?.includes(hash))
      if (missing.length > 0) await submitTransactions(follower, await signedOf(leader, missing))
    }),
  )
}

/** Takes away all that waits, and answers with it. */
export async function drainPool(node: EthereumRpc): Promise<{ hash: string; signed: string }[]> {
  const hashes = await pendingHashes(node)
  const signed = await node.batch<string | null>(hashes.map((hash) => ['eth_getRawTransactionByHash', hash]))
  await node.batch(hashes.map((hash) => ['anvil_dropTransaction', hash]))
  return hashes.flatMap((hash, i) => (signed[i] ? [{ hash, signed: signed[i] }] : []))
}
