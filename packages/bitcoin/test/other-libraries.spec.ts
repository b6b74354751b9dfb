import { decodeTransaction, encodeCashAddressFormat, lockingBytecodeToCashAddress } from '@bitauth/libauth'
import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer'
import fc from 'fast-check'
import { addressOf, scriptOfAddress } from '../src/address.js'
import { chainRules } from '../src/chain-rules.js'
import { payToPublicKeyHash, payToScriptHash } from '../src/script.js'
import { parseTransaction } from '../src/transaction.js'
import { arbitraryTransaction, buffer } from './arbitraries.js'
import { serialize } from './serialise.js'
import { bytes, vectors } from './vectors.js'

const hash = fc.oneof(buffer(20), buffer(32))

describe('another library', () => {
  it.each([
    ['mainnet', NETWORK],
    ['testnet', TEST_NETWORK],
  ] as const)('writes the same addresses of Bitcoin on %s', (network, theirs) => {
    fc.assert(
      fc.property(buffer(20), (hash) => {
        for (const script of [payToPublicKeyHash(hash), payToScriptHash(hash), Buffer.concat([Buffer.of(0, 20), hash])])
          expect(addressOf(script, chainRules('btc', network))).toBe(Address(theirs).encode(OutScript.decode(script)))
      }),
    )
  })

  it.each([
    ['mainnet', 'bitcoincash'],
    ['testnet', 'bchtest'],
    ['regtest', 'bchreg'],
  ] as const)('writes the same addresses of Bitcoin Cash on %s', (network, prefix) => {
    fc.assert(
      fc.property(hash, (hash) => {
        const scripts = [payToScriptHash(hash), ...(hash.length === 20 ? [payToPublicKeyHash(hash)] : [])]
        for (const bytecode of scripts)
          expect(addressOf(bytecode, chainRules('bch', network))).toBe(theirAddress(lockingBytecodeToCashAddress({ bytecode, prefix })))
      }),
    )
  })

  it.each([
    ['a length that is not that of the hash', 1, 20],
    ['a type nobody defined', 4 << 3, 20],
    ['the reserved bit', 0x80, 20],
    ['a key hash of 32 bytes', 3, 32],
    ['no hash', 0, 0],
  ])('writes what is refused here for %s', (_, version, length) => {
    const address = theirAddress(encodeCashAddressFormat({ prefix: 'bitcoincash', version, payload: new Uint8Array(length) }))
    expect(() => scriptOfAddress(address, chainRules('bch', 'mainnet'))).toThrow('Address payload is not valid')
  })

  it('reads the same transactions of Bitcoin Cash, tokens and all', () => {
    const prefixes = vectors<{ valid: string[] }>('bch-token-prefix').valid.map(bytes)
    const prefix = fc.oneof(fc.constant(Buffer.alloc(0)), fc.constantFrom(...prefixes))
    fc.assert(
      fc.property(arbitraryTransaction, prefix, ({ outputs, ...rest }, tokenPrefix) => {
        const raw = serialize({ ...rest, outputs: outputs.map((output) => ({ ...output, tokenPrefix })), witnesses: [] })
        const theirs = decodeTransaction(Uint8Array.from(raw))
        if (typeof theirs === 'string') throw new Error(theirs)
        const ours = parseTransaction(raw, 'bch')
        expect(ours.outputs.map(({ value, script }) => [value, script.toString('hex')])).toEqual(
          theirs.outputs.map(({ valueSatoshis, lockingBytecode }) => [valueSatoshis, Buffer.from(lockingBytecode).toString('hex')]),
        )
        expect(ours.outputs.map(({ tokenPrefix }) => tokenPrefix !== undefined)).toEqual(
          theirs.outputs.map(({ token }) => token !== undefined),
        )
        expect(ours.inputs.map(({ txid, vout }) => [txid.toString('hex'), vout])).toEqual(
          theirs.inputs.map(({ outpointTransactionHash, outpointIndex }) => [
            Buffer.from(outpointTransactionHash).toString('hex'),
            outpointIndex,
          ]),
        )
      }),
    )
  })
})

function theirAddress(answer: string | { address: string }): string {
  return typeof answer === 'string' ? answer : answer.address
}
