import type { GethChain } from '../geth-chain.js'
import { blockCalls } from './block-calls.js'
import type { CorpusCall } from './corpus-call.js'
import { gatewayCalls } from './gateway-calls.js'
import { logCalls } from './log-calls.js'
import { stateCalls } from './state-calls.js'

export function corpusOf(chain: GethChain): CorpusCall[] {
  return [...stateCalls(chain), ...blockCalls(chain), ...logCalls(chain), ...gatewayCalls(chain)]
}
