import type { TestChain } from '@trestle/testing/chain'
import { FEE_BANDS, type FeeBand } from '../src/mempool/fee-bands.js'

type NodeMempool = Record<string, { readonly vsize: number; readonly fees: { readonly base: number } }>

/** What waits at a node, by bands, those without anything left out. */
export async function waitingAtNode({ rpc }: Pick<TestChain, 'rpc'>): Promise<FeeBand[]> {
  const mempool = await rpc<NodeMempool>('getrawmempool', true)
  const waiting = Object.values(mempool).map(({ vsize, fees }) => ({ vsize, fee: Math.round(fees.base * 1e8) }))
  return FEE_BANDS.flatMap((rate, place) => {
    const end = FEE_BANDS[place + 1] ?? Number.POSITIVE_INFINITY
    const those = waiting.filter(({ vsize, fee }) => fee / vsize >= rate && fee / vsize < end)
    const sum = (name: 'vsize' | 'fee') => those.reduce((total, each) => total + each[name], 0)
    return those.length > 0 ? [{ rate, transactions: those.length, vsize: sum('vsize'), fees: BigInt(sum('fee')) }] : []
  })
}
