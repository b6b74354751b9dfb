import { servicesOf } from '../platform/health.client.js'
import { type PageChain, SERVED_CHAINS } from '../platform/use-chains.js'

const CHAINS: readonly PageChain[] = [
  { name: 'btc', title: 'Bitcoin', family: 'bitcoin', unit: 'BTC', decimals: 8 },
  { name: 'eth', title: 'Ethereum', family: 'evm', unit: 'ETH', decimals: 18 },
  // Without a record in code: by TRESTLE_CHAINS_FILE.
  { name: 'mychain', title: 'My Chain', family: 'evm', unit: 'MYC', decimals: 6 },
]

/** The services of a platform that serves these chains. */
export const SERVICES = servicesOf(CHAINS)

/** What the platform says of its chains. */
export const CHAINS_ANSWER = [SERVED_CHAINS, CHAINS] as const
