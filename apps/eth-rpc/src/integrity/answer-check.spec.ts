import { keccak_256 } from '@noble/hashes/sha3.js'
import { shortChain, smallHash } from '../../test/small-chain.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { answerCheckOf } from './answer-check.js'

const CHAIN = shortChain(6)
const HASH = `0x${'ab'.repeat(32)}`
const OTHER = `0x${'cd'.repeat(32)}`
const RAW = '0x02c0'
const RAW_HASH = hashOf('02c0')

describe(answerCheckOf, () => {
  it.each<[string, unknown[], unknown, string | undefined]>([
    ['eth_getBlockByHash', [HASH, false], { number: '0x1', hash: HASH }, undefined],
    ['eth_getBlockByHash', [HASH.toUpperCase().replace('0X', '0x'), false], { hash: HASH }, undefined],
    ['eth_getBlockByHash', [HASH, false], { hash: OTHER }, 'wrong'],
    // A client that writes transactions before its own hash.
    ['eth_getBlockByHash', [HASH, true], { transactions: [{ hash: OTHER }], hash: HASH }, undefined],
    ['eth_getBlockByNumber', ['0x5', false], { hash: smallHash(5), number: '0x5' }, undefined],
    ['eth_getBlockByNumber', ['0x5', false], { hash: smallHash(6), number: '0x6' }, 'wrong'],
    ['eth_getBlockByNumber', ['0x5', false], { hash: smallHash(5, 1), number: '0x5' }, 'doubtful'],
    ['eth_getBlockByNumber', ['0x99', false], { hash: HASH, number: '0x99' }, undefined],
    ['eth_getBlockByNumber', ['pending', false], { hash: null, number: '0x7' }, undefined],
    ['eth_getBlockReceipts', ['0x5'], [{ blockHash: smallHash(5) }], undefined],
    ['eth_getBlockReceipts', ['0x5'], [{ blockHash: smallHash(5, 1) }], 'doubtful'],
    ['eth_getTransactionByHash', [HASH], { blockHash: OTHER, hash: HASH }, undefined],
    ['eth_getTransactionByHash', [HASH], { blockHash: HASH, hash: OTHER }, 'wrong'],
    ['eth_getTransactionReceipt', [HASH], { transactionHash: HASH }, undefined],
    ['eth_getTransactionReceipt', [HASH], { transactionHash: OTHER }, 'wrong'],
    ['eth_getRawTransactionByHash', [RAW_HASH], RAW, undefined],
    ['eth_getRawTransactionByHash', [RAW_HASH], '0x02c1', 'wrong'],
    // A type of ZKsync, whose bytes do not show the hash; a deposit of the OP stack, a transaction of Arbitrum's own, Celo's, Polygon's.
    ['eth_getRawTransactionByHash', [RAW_HASH], '0x71c0', 'doubtful'],
    ...['7e', '6a', '7b', '7f'].flatMap((type): [string, unknown[], unknown, string | undefined][] => [
      ['eth_getRawTransactionByHash', [hashOf(`${type}c0`)], `0x${type}c0`, undefined],
      ['eth_getRawTransactionByHash', [HASH], `0x${type}c0`, 'wrong'],
    ]),
    ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x1'], { blockHash: HASH, transactionIndex: '0x1' }, undefined],
    ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x1'], { blockHash: HASH, transactionIndex: '0x2' }, 'wrong'],
    ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x1'], { blockHash: OTHER, transactionIndex: '0x1' }, 'wrong'],
    [
      'eth_getTransactionByBlockNumberAndIndex',
      ['0x5', '0x1'],
      { blockHash: smallHash(5), blockNumber: '0x5', transactionIndex: '0x1' },
      undefined,
    ],
    ['eth_getTransactionByBlockNumberAndIndex', ['0x5', '0x1'], { blockHash: HASH, blockNumber: '0x6', transactionIndex: '0x1' }, 'wrong'],
    [
      'eth_getTransactionByBlockNumberAndIndex',
      ['0x5', '0x1'],
      { blockHash: HASH, blockNumber: '0x5', transactionIndex: '0x1' },
      'doubtful',
    ],
  ])('%s %j: thinks of %j', (name, params, result, expected) => {
    const check = answerCheckOf({ method: knownMethod(name), params }, CHAIN)
    expect(check?.(Buffer.from(JSON.stringify(result)))).toBe(expected)
    expect(check?.(Buffer.from('null'))).toBeUndefined()
  })

  it('costs calls nothing whose results say nothing of what was asked', () => {
    expect(answerCheckOf({ method: knownMethod('eth_getBalance'), params: [] }, CHAIN)).toBeUndefined()
    expect(answerCheckOf({ method: knownMethod('eth_call'), params: [] }, CHAIN)).toBeUndefined()
  })
})

function hashOf(bytes: string): string {
  return `0x${Buffer.from(keccak_256(Buffer.from(bytes, 'hex'))).toString('hex')}`
}
