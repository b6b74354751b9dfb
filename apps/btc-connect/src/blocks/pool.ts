import { addressOf } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { z } from 'zod'

/** In the form of mempool's pools-v2.json; members besides these are left aside. */
export const PoolList = z.array(
  z.object({
    name: z.string().min(1),
    link: z.string().default(''),
    /** Texts that its coinbases hold. */
    tags: z.array(z.string().min(1)).default([]),
    /** To which its coinbases pay. */
    addresses: z.array(z.string()).default([]),
  }),
)
export type MiningPool = z.infer<typeof PoolList>[number]

/** Empty where nobody knows. */
export interface PoolInfo {
  readonly poolName?: string
  readonly url?: string
}

export type PoolFinder = (coinbase: { coinbase: Buffer; payoutScript: Buffer }) => PoolInfo

/** Tells a pool by the address its coinbase pays to, or by a text in the coinbase: the first of the list that fits. */
export function poolFinder(pools: readonly MiningPool[], rules: ChainRules): PoolFinder {
  const known = pools.map(({ name, link, tags, addresses }) => ({
    info: { poolName: name, url: link },
    tags: tags.map((tag) => Buffer.from(tag)),
    addresses: new Set(addresses),
  }))
  return ({ coinbase, payoutScript }) => {
    const address = addressOf(payoutScript, rules) ?? ''
    const pool = known.find(({ tags, addresses }) => addresses.has(address) || tags.some((tag) => coinbase.includes(tag)))
    return pool?.info ?? {}
  }
}
