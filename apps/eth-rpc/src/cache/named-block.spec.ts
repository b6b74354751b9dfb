import { smallHash } from '../../test/small-chain.js'
import { methodNamed } from '../methods/method.js'
import { namedBlock } from './named-block.js'

describe(namedBlock, () => {
  it.each([
    ['{"blockHash":"HASH","blockNumber":"0xff","logs":[]}'],
    ['{"logs":[],"blockNumber" : "0xff" , "blockHash"\n:\t"HASH"}'],
    ['[{"transactionIndex":"0x0","blockHash":"HASH","blockNumber":"0xff"},{"blockHash":"0x00","blockNumber":"0x1"}]'],
    ['{"revertReason":"\\"blockNumber\\":\\"0x1\\"","blockNumber":"0xff","blockHash":"HASH"}'],
  ])('finds the block in %s', (json) => {
    expect(told('eth_getTransactionReceipt', json.replace('HASH', smallHash(255)))).toEqual({ number: 255, hash: smallHash(255) })
  })

  it('finds the number and hash of a block', () => {
    const json = `{"difficulty":"0x0","hash":"${smallHash(7)}","number":"0x7","transactions":[{"blockNumber":"0x7","hash":"${smallHash(1)}"}]}`
    expect(told('eth_getBlockByNumber', json)).toEqual({ number: 7, hash: smallHash(7) })
  })

  it.each([
    '{"blockHash":null,"blockNumber":null}',
    '{"blockNumber":255}',
    '{"blockNumber":"255"}',
    '{"blockNumber":"0x"}',
    '{"blockNumber":"0xzz"}',
    '{"blockNumber":"0x20000000000000"}',
    '{"blockNumber":"0xff',
    '{"blockNumber":',
    '{"blockNumber"',
    '[]',
    'null',
    '',
  ])('finds none in %s', (json) => {
    expect(told('eth_getTransactionReceipt', json)).toBeUndefined()
  })

  it('looks only in answers that name their block', () => {
    expect(told('eth_call', '"blockNumber":"0x1"')).toBeUndefined()
    // An uncle is not the block it stands in.
    expect(told('eth_getUncleByBlockHashAndIndex', '{"number":"0x1"}')).toBeUndefined()
  })
})

function told(name: string, json: string) {
  return namedBlock(methodNamed(name)!, Buffer.from(json))
}
