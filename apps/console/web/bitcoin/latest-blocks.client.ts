import type { BlockList } from '@trestle/contracts/btc-connect/blocks'
import type { Trestle } from '@trestle/sdk/trestle'
import { utcDay } from '../parts/days.js'

export type BlockSummary = BlockList['blocks'][number]

/** The newest blocks. The API tells of them by days: of a chain that stands still it has to be found out which day was its last. */
export async function latestBlocks(api: Pick<Trestle['btc'], 'blocks' | 'status'>, wanted: number): Promise<BlockSummary[]> {
  const limit = String(wanted)
  const today = await api.blocks.list({ query: { limit } })
  if (today.blocks.length >= wanted) return today.blocks
  const { height } = await api.status.sync()
  const oldest = today.blocks.at(-1)?.height ?? height + 1
  if (oldest <= 0) return today.blocks
  const { blockHash } = await api.blocks.hash({ params: { height: String(oldest - 1) } })
  const { time } = await api.blocks.one({ params: { hash: blockHash } })
  const before = await api.blocks.list({ query: { limit, date: utcDay(new Date(time * 1000)) } })
  return [...today.blocks, ...before.blocks].slice(0, wanted)
}
