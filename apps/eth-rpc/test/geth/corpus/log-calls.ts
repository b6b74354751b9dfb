import type { GethChain } from '../geth-chain.js'
import { type CorpusCall, corpusCall, each, NO_HASH } from './corpus-call.js'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export function logCalls(chain: GethChain): CorpusCall[] {
  return [...ofLogs(chain), ...ofFilters()]
}

function ofLogs({ token, nobody, sender, block, head }: GethChain): CorpusCall[] {
  const padded = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  const ranges = [
    ...[
      { fromBlock: '0x0' },
      { fromBlock: '0x0', toBlock: 'latest' },
      { fromBlock: 'earliest', toBlock: head.number },
      { fromBlock: block.number, toBlock: block.number },
    ],
    ...[
      {},
      { fromBlock: 'latest' },
      { fromBlock: 'safe' },
      { fromBlock: 'finalized', toBlock: 'latest' },
      { blockHash: block.hash },
      { blockHash: head.hash },
    ],
    ...[
      { fromBlock: null, toBlock: null },
      { fromBlock: '0x0', blockHash: null },
      { fromBlock: '0x1', toBlock: 'safe' },
      { toBlock: head.number },
    ],
  ]
  const odd = [
    ...[
      { fromBlock: '0x30', toBlock: '0x10' },
      { fromBlock: '0x3', toBlock: '0x1' },
      { fromBlock: '0x1', blockHash: block.hash },
      { blockHash: NO_HASH },
    ],
    ...[
      { fromBlock: 'pending' },
      { toBlock: 'pending' },
      { fromBlock: 'Latest' },
      { fromBlock: 5 },
      { fromBlock: '0x01' },
      { fromBlock: '0x8000000000000000' },
    ],
    ...[
      { fromBlock: '0x0', address: '0x1' },
      { fromBlock: '0x0', address: 5 },
      { fromBlock: '0x0', address: [5] },
      { fromBlock: '0x0', topics: ['0x1'] },
    ],
    ...[
      { fromBlock: '0x0', topics: 5 },
      { fromBlock: '0x0', topics: [5] },
      { fromBlock: '0x0', topics: [TRANSFER, null, null, null, null] },
      { blockHash: '0x1' },
    ],
  ]
  const inverted = [
    { toBlock: '0x1' },
    { fromBlock: '0xffff', toBlock: '0x0' },
    { fromBlock: 'finalized', toBlock: 'earliest' },
    { toBlock: '0x0' },
    { fromBlock: 'latest', toBlock: '0x0' },
    { fromBlock: 'latest', toBlock: 'earliest' },
    { fromBlock: '0x2', toBlock: '0x0' },
  ]
  const beyond = [
    { fromBlock: '0x0', toBlock: '0xffff' },
    { fromBlock: 'latest', toBlock: '0xffff' },
    { fromBlock: '0xffff' },
    { fromBlock: '0x7fffffffffffffff' },
  ]
  const criteria = [
    ...[
      { address: token },
      { address: [token, nobody] },
      { address: nobody },
      { address: [] },
      { address: null },
      { topics: [] },
      { topics: null },
    ],
    ...[
      { topics: [TRANSFER] },
      { topics: [null, padded(sender)] },
      { topics: [[TRANSFER, NO_HASH], null, padded(nobody)] },
      { topics: [NO_HASH] },
    ],
    ...[{ address: token, topics: [TRANSFER, [], [padded(nobody), padded(sender)]] }, { topics: [TRANSFER, [null, padded(nobody)]] }],
  ]
  return [
    ...each([...ranges, ...odd, ...inverted], (filter) => corpusCall('eth_getLogs', [filter])),
    ...each(beyond, (filter) => corpusCall('eth_getLogs', [filter], 'search')),
    ...each(criteria, (more) => [
      corpusCall('eth_getLogs', [{ fromBlock: '0x0', ...more }]),
      corpusCall('eth_getLogs', [{ blockHash: block.hash, ...more }]),
    ]),
    ...each([[], 'x', 5], (filter) => corpusCall('eth_getLogs', [filter])),
    corpusCall('eth_getLogs', [null], 'strict'),
    corpusCall('eth_getLogs', []),
    corpusCall('eth_getLogs', [{ fromBlock: '0x0' }, 1]),
  ]
}

function ofFilters(): CorpusCall[] {
  const unknown = `0x${'1'.repeat(32)}`
  return [
    ...each(['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'], (method) => [
      corpusCall(method, [unknown]),
      corpusCall(method, ['x']),
      corpusCall(method, [1]),
      corpusCall(method, []),
    ]),
    ...each([{ fromBlock: '0x30', toBlock: '0x10' }, { fromBlock: 'Latest' }, { address: '0x1' }, 'x'], (filter) =>
      corpusCall('eth_newFilter', [filter]),
    ),
    corpusCall('eth_newFilter', []),
    corpusCall('eth_newBlockFilter', [1]),
    corpusCall('eth_subscribe', ['newHeads']),
    corpusCall('eth_subscribe', []),
    corpusCall('eth_unsubscribe', [unknown]),
  ]
}
