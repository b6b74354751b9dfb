import type { GethChain } from '../geth-chain.js'
import { type CorpusCall, corpusCall, each, NO_HASH, places } from './corpus-call.js'

export function blockCalls(chain: GethChain): CorpusCall[] {
  return [...ofBlocks(chain), ...ofTransactions(chain), ...ofFees()]
}

function ofBlocks(chain: GethChain): CorpusCall[] {
  const { block, head } = chain
  const numbers = places(chain).filter((place) => typeof place === 'string' && place.length < 66)
  const byNumber = ['eth_getBlockTransactionCountByNumber', 'eth_getUncleCountByBlockNumber']
  const byHash = ['eth_getBlockTransactionCountByHash', 'eth_getUncleCountByBlockHash', 'eth_getHeaderByHash']
  return [
    ...each(numbers, (number) => [
      corpusCall('eth_getBlockByNumber', [number, false]),
      corpusCall('eth_getBlockByNumber', [number, true]),
      corpusCall('eth_getHeaderByNumber', [number]),
      ...each(byNumber, (method) => corpusCall(method, [number])),
      corpusCall('eth_getUncleByBlockNumberAndIndex', [number, '0x0']),
    ]),
    ...each([block.hash, head.hash, NO_HASH], (hash) => [
      corpusCall('eth_getBlockByHash', [hash, false]),
      corpusCall('eth_getBlockByHash', [hash, true]),
      ...each(byHash, (method) => corpusCall(method, [hash])),
      corpusCall('eth_getUncleByBlockHashAndIndex', [hash, '0x0']),
      corpusCall('eth_getBlockReceipts', [hash]),
      corpusCall('eth_getBlockReceipts', [{ blockHash: hash }]),
    ]),
    ...each(['latest', 'earliest', 'safe', 'finalized', 'pending', block.number, '0xffff'], (number) =>
      corpusCall('eth_getBlockReceipts', [number]),
    ),
  ]
}

function ofTransactions({ created, transferred, legacy, listed, failed, delegated, queued, block, head }: GethChain): CorpusCall[] {
  const methods = ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getRawTransactionByHash']
  return [
    ...each([created, transferred, legacy, listed, failed, delegated, queued, NO_HASH], (hash) =>
      each(methods, (method) => corpusCall(method, [hash])),
    ),
    ...each(['0x0', '0x1', '0x00', 0, '0xffffffffffffffffff'], (index) => [
      ...each(['latest', block.number, 'earliest', '0xffff', 'pending'], (number) => [
        corpusCall('eth_getTransactionByBlockNumberAndIndex', [number, index]),
        corpusCall('eth_getRawTransactionByBlockNumberAndIndex', [number, index]),
      ]),
      ...each([block.hash, head.hash, NO_HASH], (hash) => [
        corpusCall('eth_getTransactionByBlockHashAndIndex', [hash, index]),
        corpusCall('eth_getRawTransactionByBlockHashAndIndex', [hash, index]),
      ]),
    ]),
  ]
}

function ofFees(): CorpusCall[] {
  return [
    ...each(['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_baseFee', 'eth_config', 'eth_capabilities'], (method) =>
      corpusCall(method, []),
    ),
    ...each(['0x1', '0x4', '4', 4, '0x400', '0x0', '0x1000', 'x'], (count) => corpusCall('eth_feeHistory', [count, 'latest', [25, 75]])),
    ...each(['0x2', 'earliest', 'finalized', '0xffff', 'pending'], (newest) => corpusCall('eth_feeHistory', ['0x2', newest, []])),
    ...each([[75, 25], [101], [-1], 'x', null], (percentiles) => corpusCall('eth_feeHistory', ['0x2', 'latest', percentiles])),
    corpusCall('eth_feeHistory', ['0x2', 'latest']),
    corpusCall('eth_feeHistory', ['0x2']),
  ]
}
