import { unitOf } from '@trestle/contracts/chains/chains'
import { useOutletContext } from 'react-router'
import { platformClient } from '../platform/client.js'

/** The chain whose pages these are. */
export function useBitcoinChain() {
  const chain = useOutletContext<string>()
  return { chain, unit: unitOf(chain), api: platformClient.utxo(chain), at: (path = '') => bitcoinPath(chain, path) }
}

/** The address of a chain's page. */
export function bitcoinPath(chain: string, path = ''): string {
  return `/app/bitcoin/${chain}${path}`
}
