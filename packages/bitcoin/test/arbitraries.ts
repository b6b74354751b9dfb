import { BITCOIN_FAMILY } from '@trestle/contracts/chains/bitcoin-family'
import { BITCOIN_NETWORKS } from '@trestle/contracts/chains/chain'
import { BITCOIN_CHAIN_NAMES } from '@trestle/contracts/chains/chains'
import fc from 'fast-check'
import { type ChainRules, type Coin, chainRules, formatOf, type Network } from '../src/chain-rules.js'
import type { TransactionFields } from './serialise.js'

export const CHAIN_NETWORKS: readonly [Coin, Network][] = BITCOIN_CHAIN_NAMES.flatMap((coin) =>
  BITCOIN_NETWORKS.filter((network) => network in BITCOIN_FAMILY[coin].networks).map((network): [Coin, Network] => [coin, network]),
)

/** Those where any version of a transaction is only a number. */
export const coin: fc.Arbitrary<Coin> = fc.constantFrom(...BITCOIN_CHAIN_NAMES.filter((name) => !formatOf(name).extraPayload))

export const rules: fc.Arbitrary<ChainRules> = fc.constantFrom(...CHAIN_NETWORKS).map(([coin, network]) => chainRules(coin, network))

export function buffer(minLength = 0, maxLength = minLength): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array))
}

const uint32 = fc.oneof(fc.constantFrom(0, 0xffff_ffff), fc.nat(0xffff_ffff))

const input = fc.record({ txid: buffer(32), vout: uint32, script: buffer(0, 300), sequence: uint32 })

const MAX_OUTPUTS = 5
const output = fc.record({
  // All outputs together may have less than 2^53.
  value: fc.bigInt({ min: 0n, max: (2n ** 53n - 1n) / BigInt(MAX_OUTPUTS) }),
  // A script that begins like a token prefix might be one.
  script: buffer(0, 300).filter((script) => script[0] !== 0xef),
})

const witness = fc.array(buffer(0, 300), { maxLength: 3 })

export const arbitraryTransaction: fc.Arbitrary<TransactionFields> = fc
  .record({
    version: fc.integer(),
    lockTime: uint32,
    inputs: fc.array(input, { minLength: 1, maxLength: 5 }),
    outputs: fc.array(output, { maxLength: MAX_OUTPUTS }),
    witnesses: fc.array(witness, { maxLength: 5 }),
  })
  .map((written) => ({ ...written, witnesses: written.witnesses.slice(0, written.inputs.length) }))
