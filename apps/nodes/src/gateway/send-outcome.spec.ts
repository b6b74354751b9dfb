import { outcomeOf } from './send-outcome.js'

describe(outcomeOf, () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":"0x1"}', 'accepted'],
    ['{"result":"ab","error":null,"id":1}', 'accepted'],
    ['{"result":null,"error":{"code":-27,"message":"Transaction already in block chain"},"id":1}', 'known'],
    ['{"result":null,"error":{"code":-26,"message":"txn-already-in-mempool"},"id":1}', 'known'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"already known"}}', 'known'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"transaction already imported"}}', 'known'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}', 'refused'],
    ['{}', 'refused'],
    ['null', 'refused'],
    ['<html>', 'refused'],
  ])('of %s is %s', (body, outcome) => {
    expect(outcomeOf(Buffer.from(body))).toBe(outcome)
  })
})
