import { addressOf } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { z } from 'zod'

/** In the format of mempool's pools-v2.json; other members are ignored. */
export const PoolList = z.array(
  z.object({
    name: z.string().min(1),
    link: z.string().default(''),
    /** Texts in its coinbases. */
    tags: z.array(z.string().min(1)).default([]),
    /** Addresses that its coinbases pay. */
    addresses: z.array(z.string()).default([]),
  }),
)
export type MiningPool = z.infer<typeof PoolList>[number]

/** Empty if the pool is unknown. */
export interface PoolInfo {
  readonly poolName?: string
  readonly url?: string
}

export type PoolFinder = (coinbase: { coinbase: Buffer; payoutScript: Buffer }) => PoolInfo

/** Recognises a pool by the address that its coinbase pays, or by a text in the coinbase: the first match of the list. */
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
