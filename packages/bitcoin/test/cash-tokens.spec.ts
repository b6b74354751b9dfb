import { addressOf } from '../src/address.js'
import { chainRules } from '../src/chain-rules.js'
import { tokenPrefixLength } from '../src/token-prefix.js'
import { parseTransaction } from '../src/transaction.js'
import { serialize } from './serialise.js'
import { bytes, vectors } from './vectors.js'

const { valid, invalid } = vectors<{ valid: string[]; invalid: [string, string][] }>('bch-token-prefix')
const P2PKH = bytes('76a914751e76e8199196d454941c45d1b3a323f1433bd688ac')

describe('CHIP-2022-02 CashTokens', () => {
  it.each(valid)('strips the prefix %s', (prefix) => {
    const [output] = parseTransaction(payingTo(bytes(prefix)), 'bch').outputs
    expect(output).toEqual({ value: 1n, script: P2PKH, tokenPrefix: bytes(prefix) })
    expect(addressOf(output!.script, chainRules('bch', 'mainnet'))).toBe('bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h')
  })

  it.each(invalid)('takes %s for a part of the script: %s', (prefix) => {
    // The vectors end where the mistake is; what follows an output must not repair them.
    expect(tokenPrefixLength(bytes(prefix))).toBe(0)
  })

  it('reads no prefix on the other chains, where such a script cannot be spent', () => {
    const [output] = parseTransaction(payingTo(bytes(valid[0]!)), 'btc').outputs
    expect(output).toEqual({ value: 1n, script: Buffer.concat([bytes(valid[0]!), P2PKH]) })
    expect(addressOf(output!.script, chainRules('btc', 'mainnet'))).toBeUndefined()
  })
})

function payingTo(prefix: Buffer): Buffer {
  const input = { txid: Buffer.alloc(32, 1), vout: 0, script: Buffer.alloc(0), sequence: 0 }
  return serialize({ version: 2, lockTime: 0, inputs: [input], outputs: [{ value: 1n, script: P2PKH, tokenPrefix: prefix }] })
}
