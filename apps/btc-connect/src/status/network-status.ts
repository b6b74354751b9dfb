import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { NetworkStatus } from '@trestle/contracts/btc-connect/status'
import type { WritableReply } from '@trestle/contracts/endpoint'
import type { ChainInfo, NetworkInfo } from '../node/node-calls.js'
import { withoutExponent } from '../plain-number.js'

/** The response of `getinfo` until Core 0.16, built from the calls that replaced it. */
export function networkStatusOf(
  chain: ChainInfo,
  network: NetworkInfo,
  rules: Pick<ChainRules, 'insightNetwork'>,
): WritableReply<NetworkStatus> {
  return {
    version: network.version,
    protocolversion: network.protocolversion,
    blocks: chain.blocks,
    timeoffset: network.timeoffset,
    connections: network.connections,
    proxy: network.networks[0]?.proxy ?? '',
    difficulty: withoutExponent(chain.difficulty),
    testnet: rules.insightNetwork === 'testnet',
    relayfee: withoutExponent(network.relayfee),
    errors: network.warnings,
    network: rules.insightNetwork,
  }
}
