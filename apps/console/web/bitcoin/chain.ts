import { useOutletContext } from 'react-router'
import { trestle } from '../platform/client.js'

export const CHAINS = ['btc', 'bch', 'ltc'] as const
export type Chain = (typeof CHAINS)[number]

const UNITS: Readonly<Record<Chain, string>> = { btc: 'BTC', bch: 'BCH', ltc: 'LTC' }

export function isChain(name: string): name is Chain {
  return (CHAINS as readonly string[]).includes(name)
}

/** The chain whose pages these are. */
export function useChain() {
  const chain = useOutletContext<Chain>()
  return { chain, unit: UNITS[chain], api: trestle[chain], at: (path = '') => pathOf(chain, path) }
}

/** Where the pages of a chain stand. */
export function pathOf(chain: string, path = ''): string {
  return `/app/bitcoin/${chain}${path}`
}
