import fc from 'fast-check'
import { smallHash } from '../../test/small-chain.js'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { blockRangeOf, blockReferenceOf, withBlockNumber, withBlockRange } from './block-reference.js'
import { methodNamed, type RpcMethod } from './method.js'

const ADDRESS = `0x${'ab'.repeat(20)}`
const balance = named('eth_getBalance')
const logs = named('eth_getLogs')

describe(blockReferenceOf, () => {
  it.each(['latest', 'safe', 'finalized', 'earliest', 'pending'])('accepts the tag %s', (tag) => {
    expect(blockReferenceOf(balance, [ADDRESS, tag])).toEqual({ tag })
    expect(blockReferenceOf(balance, [ADDRESS, { blockNumber: tag }])).toEqual({ tag })
  })

  it('accepts every spelling of a number, in an object too', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        const quantity = `0x${number.toString(16)}`
        for (const value of [quantity, { blockNumber: quantity }, `0x${number.toString(16).toUpperCase()}`]) {
          expect(blockReferenceOf(balance, [ADDRESS, value])).toEqual({ number })
        }
      }),
    )
  })

  it.each([
    smallHash(9, 0xab),
    { blockHash: smallHash(9, 0xab) },
    { blockHash: smallHash(9, 0xab), requireCanonical: true },
    { blockHash: smallHash(9, 0xab), requireCanonical: null, blockNumber: null },
    { blockHash: `0x${smallHash(9, 0xab).slice(2).toUpperCase()}` },
  ])('finds the hash in %j', (value) => {
    expect(blockReferenceOf(balance, [ADDRESS, value])).toEqual({ hash: smallHash(9, 0xab) })
  })

  it.each([
    ...['0x', '0x00', '0x01', '00', '0X1', '1', '', '1734434', '0x1g', '0x-1', '0x1.0', ' 0x1', '0x1 ', '0x1\n'],
    ...['Latest', 'LATEST', ' latest', 'latest ', 'final', '__proto__', 'constructor'],
    ...['0x8000000000000000', `0x1${'0'.repeat(64)}`, `0x${'f'.repeat(63)}`, `0x${'g'.repeat(64)}`, `0X${'1'.repeat(64)}`],
    ...[1, 0, -1, 1.5, true, false, [], ['latest'], {}, { blockNumber: 1 }, { blockHash: '0x1' }, { blockHash: 1 }],
    ...[{ blockNumber: '0x1', blockHash: smallHash(1) }, { blockHash: smallHash(1), requireCanonical: 'true' }, { blockNumber: '0x00' }],
  ])('refuses %j with -32602', (value) => {
    expect(refusal(() => blockReferenceOf(balance, [ADDRESS, value]))).toMatchObject({ code: RPC_CODE.invalidParams })
  })

  it('says which argument is wrong, and why', () => {
    expect(refusal(() => blockReferenceOf(balance, [ADDRESS, '0x00']))?.message).toBe(
      'invalid argument 1: hex number with leading zero digits',
    )
    expect(refusal(() => blockReferenceOf(named('eth_getStorageAt'), [ADDRESS, '0x0', 1]))?.message).toMatch(/^invalid argument 2: /)
  })

  it('defaults to the latest block where it may be omitted', () => {
    expect(blockReferenceOf(balance, [ADDRESS])).toEqual({ tag: 'latest' })
    expect(blockReferenceOf(balance, [ADDRESS, null])).toEqual({ tag: 'latest' })
    expect(blockReferenceOf(named('eth_getStorageAt'), [ADDRESS, '0x0'])).toEqual({ tag: 'latest' })
  })

  it('leaves it to the node to report a missing argument', () => {
    expect(blockReferenceOf(named('eth_getBlockByNumber'), [])).toBeUndefined()
    expect(blockReferenceOf(named('eth_getBlockByHash'), [])).toBeUndefined()
    expect(blockReferenceOf(named('eth_feeHistory'), ['0x4'])).toBeUndefined()
    expect(blockReferenceOf(named('eth_getStorageAt'), [ADDRESS])).toBeUndefined()
  })

  it('finds no block in calls without one', () => {
    expect(blockReferenceOf(named('eth_getTransactionByHash'), [smallHash(1)])).toBeUndefined()
  })

  it('treats a log search as being about its last block', () => {
    expect(blockReferenceOf(logs, [{ fromBlock: '0x1', toBlock: '0x5' }])).toEqual({ number: 5 })
    expect(blockReferenceOf(logs, [{ fromBlock: '0x1' }])).toEqual({ tag: 'latest' })
    expect(blockReferenceOf(logs, [{ blockHash: smallHash(3) }])).toEqual({ hash: smallHash(3) })
  })

  it('requires a hash where only a hash is valid', () => {
    const block = named('eth_getBlockByHash')
    expect(blockReferenceOf(block, [smallHash(3), false])).toEqual({ hash: smallHash(3) })
    for (const value of ['latest', '0x1', { blockHash: smallHash(3) }]) {
      expect(refusal(() => blockReferenceOf(block, [value, false]))).toMatchObject({ code: RPC_CODE.invalidParams })
    }
  })
})

describe(blockRangeOf, () => {
  it('defaults to the latest block', () => {
    expect(blockRangeOf({})).toEqual({ from: { tag: 'latest' }, to: { tag: 'latest' } })
    expect(blockRangeOf({ fromBlock: null, toBlock: null, blockHash: null })).toEqual(blockRangeOf({}))
  })

  it.each([
    { blockHash: smallHash(1), fromBlock: '0x1' },
    { blockHash: smallHash(1), toBlock: 'latest' },
    { fromBlock: 'Latest' },
    { toBlock: 5 },
    { toBlock: smallHash(1) },
    { fromBlock: { blockNumber: '0x1' } },
    [],
    'latest',
    null,
    undefined,
  ])('refuses %j with -32602', (criteria) => {
    expect(refusal(() => blockRangeOf(criteria))).toMatchObject({ code: RPC_CODE.invalidParams })
  })
})

describe('what geth says', () => {
  it.each([
    ['0x5', '0x4'],
    ['0x30', '0x10'],
  ])('is said of a range from %s to %s', (fromBlock, toBlock) => {
    expect(refusal(() => blockRangeOf({ fromBlock, toBlock }))).toEqual({ code: -32000, message: 'invalid block range params' })
  })

  it('is nothing of a range that ends at the first block', () => {
    expect(blockRangeOf({ fromBlock: '0x2', toBlock: '0x0' })).toEqual({ from: { number: 2 }, to: { number: 0 } })
  })

  it.each(['0x20000000000000', '0x7fffffffffffffff'])('is said by the node of %s, a block far beyond any head', (number) => {
    expect(blockReferenceOf(balance, [ADDRESS, number])).toEqual({ number: Number(number) })
  })

  const block = named('eth_getBlockByNumber')
  it.each([
    [block, '0x8000000000000000', 'block number larger than int64'],
    [balance, '0x8000000000000000', 'blocknumber too high'],
    [block, '0x10000000000000000', 'hex number > 64 bits'],
    [block, '', 'empty hex string'],
    [block, '0x', 'hex string "0x"'],
    [block, '0x01', 'hex number with leading zero digits'],
    [block, '0xg', 'invalid hex string'],
    [block, 'Latest', 'hex string without 0x prefix'],
    [block, 5, 'hex string without 0x prefix'],
    [balance, 5, 'json: cannot unmarshal number into Go value of type string'],
    [balance, true, 'json: cannot unmarshal bool into Go value of type string'],
    [named('eth_getBlockByHash'), '0x12', 'hex string has length 2, want 64 for common.Hash'],
    [named('eth_getBlockByHash'), '', 'hex string has length 0, want 64 for common.Hash'],
    [named('eth_getBlockByHash'), 5, 'json: cannot unmarshal non-string into Go value of type common.Hash'],
    [named('eth_getBlockByHash'), '0x1', 'json: cannot unmarshal hex string of odd length into Go value of type common.Hash'],
  ])('is said of %#', (method, value, words) => {
    const params = method === balance ? [ADDRESS, value] : [value]
    expect(refusal(() => blockReferenceOf(method, params))?.message).toBe(`invalid argument ${params.length - 1}: ${words}`)
  })
})

describe(withBlockNumber, () => {
  it('replaces the block with the number, without changing the given params', () => {
    const params = [ADDRESS, 'latest']
    expect(withBlockNumber(balance, params, 255)).toEqual([ADDRESS, '0xff'])
    expect(withBlockNumber(balance, [ADDRESS], 0)).toEqual([ADDRESS, '0x0'])
    expect(params).toEqual([ADDRESS, 'latest'])
  })
})

describe(withBlockRange, () => {
  it('keeps the other criteria', () => {
    const params = [{ fromBlock: 'earliest', address: ADDRESS, topics: [null] }]
    expect(withBlockRange(logs, params, { from: 0, to: 16 })).toEqual([
      { fromBlock: '0x0', toBlock: '0x10', address: ADDRESS, topics: [null] },
    ])
    expect(params[0]?.fromBlock).toBe('earliest')
  })
})

function named(name: string): RpcMethod {
  return methodNamed(name)!
}

function refusal(act: () => unknown) {
  try {
    act()
  } catch (error) {
    if (error instanceof RpcFailure) return error.error
    throw error
  }
  return undefined
}
