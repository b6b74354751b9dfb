import { asPending } from './as-pending.js'

describe(asPending, () => {
  it('leaves a pending transaction as the node wrote it', () => {
    const json = '{ "blockHash":null, "gasPrice" : "0x1" }'
    expect(asPending(json)).toBe(json)
  })

  it('takes a mined one out of its block', () => {
    const mined = { blockHash: '0xaa', blockNumber: '0x1', transactionIndex: '0x0', hash: '0xbb', gasPrice: '0x7', maxFeePerGas: '0x9' }
    const pending = { blockHash: null, blockNumber: null, transactionIndex: null, hash: '0xbb', gasPrice: '0x9', maxFeePerGas: '0x9' }
    expect(JSON.parse(asPending(JSON.stringify(mined)))).toEqual(pending)
  })

  it('keeps the price of one with a single price', () => {
    expect(JSON.parse(asPending('{"blockHash":"0xaa","gasPrice":"0x7","blockTimestamp":"0x1"}'))).toEqual({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      gasPrice: '0x7',
      blockTimestamp: null,
    })
  })
})
