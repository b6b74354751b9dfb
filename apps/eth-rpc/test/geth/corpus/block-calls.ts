import type { GethChain } from '../geth-chain.js'
import { type CorpusCall, call, each, NO_HASH, places } from './corpus-call.js'

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
      call('eth_getBlockByNumber', [number, false]),
      call('eth_getBlockByNumber', [number, true]),
      call('eth_getHeaderByNumber', [number]),
      ...each(byNumber, (method) => call(method, [number])),
      call('eth_getUncleByBlockNumberAndIndex', [number, '0x0']),
    ]),
    ...each([block.hash, head.hash, NO_HASH], (hash) => [
      call('eth_getBlockByHash', [hash, false]),
      call('eth_getBlockByHash', [hash, true]),
      ...each(byHash, (method) => call(method, [hash])),
      call('eth_getUncleByBlockHashAndIndex', [hash, '0x0']),
      call('eth_getBlockReceipts', [hash]),
      call('eth_getBlockReceipts', [{ blockHash: hash }]),
    ]),
    ...each(['latest', 'earliest', 'safe', 'finalized', 'pending', block.number, '0xffff'], (number) =>
      call('eth_getBlockReceipts', [number]),
    ),
  ]
}

function ofTransactions({ created, transferred, legacy, listed, failed, delegated, queued, block, head }: GethChain): CorpusCall[] {
  const methods = ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getRawTransactionByHash']
  return [
    ...each([created, transferred, legacy, listed, failed, delegated, queued, NO_HASH], (hash) =>
      each(methods, (method) => call(method, [hash])),
    ),
    ...each(['0x0', '0x1', '0x00', 0, '0xffffffffffffffffff'], (index) => [
      ...each(['latest', block.number, 'earliest', '0xffff', 'pending'], (number) => [
        call('eth_getTransactionByBlockNumberAndIndex', [number, index]),
        call('eth_getRawTransactionByBlockNumberAndIndex', [number, index]),
      ]),
      ...each([block.hash, head.hash, NO_HASH], (hash) => [
        call('eth_getTransactionByBlockHashAndIndex', [hash, index]),
        call('eth_getRawTransactionByBlockHashAndIndex', [hash, index]),
      ]),
    ]),
  ]
}

function ofFees(): CorpusCall[] {
  return [
    ...each(['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_baseFee', 'eth_config', 'eth_capabilities'], (method) =>
      call(method, []),
    ),
    ...each(['0x1', '0x4', '4', 4, '0x400', '0x0', '0x1000', 'x'], (count) => call('eth_feeHistory', [count, 'latest', [25, 75]])),
    ...each(['0x2', 'earliest', 'finalized', '0xffff', 'pending'], (newest) => call('eth_feeHistory', ['0x2', newest, []])),
    ...each([[75, 25], [101], [-1], 'x', null], (percentiles) => call('eth_feeHistory', ['0x2', 'latest', percentiles])),
    call('eth_feeHistory', ['0x2', 'latest']),
    call('eth_feeHistory', ['0x2']),
  ]
}
