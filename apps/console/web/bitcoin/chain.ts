import { useOutletContext } from 'react-router'
import { platformClient } from '../platform/client.js'
import { useChain } from '../platform/use-chains.js'

/** The chain whose pages these are. */
export function useBitcoinChain() {
  const chain = useOutletContext<string>()
  return { chain, ...useChain(chain), api: platformClient.utxo(chain), at: (path = '') => bitcoinPath(chain, path) }
}

/** The address of a chain's page. */
export function bitcoinPath(chain: string, path = ''): string {
  return `/app/bitcoin/${chain}${path}`
}
