import { CHAINS } from '@trestle/contracts/chains/chains'
import type { Chain } from 'viem'
import * as chains from 'viem/chains'

const viems = Object.values<object>(chains).filter((each): each is Chain => 'nativeCurrency' in each)
// BEP-619, of January 2026: viem has the pace before it.
const FASTER_SINCE = new Map([[56, 450]])
const evm = CHAINS.flatMap((chain) => (chain.family === 'evm' ? [[chain.name, chain] as const] : []))

describe('the records of EVM chains', () => {
  it.each(evm)('say of %s what viem says', (_, { chainId, title, unit, decimals, explorer, blockSeconds, network }) => {
    const viem = viems.find(({ id, name }) => id === chainId && name === title)
    expect(viem?.nativeCurrency).toMatchObject({ symbol: unit, decimals })
    expect(viem?.blockExplorers?.default.url.replace(/\/$/, '')).toBe(explorer)
    expect(network).toBe(viem?.testnet ? 'testnet' : 'mainnet')
    const since = FASTER_SINCE.get(chainId) ?? viem?.blockTime
    if (since !== undefined) expect(blockSeconds).toBe(since / 1000)
  })
})
