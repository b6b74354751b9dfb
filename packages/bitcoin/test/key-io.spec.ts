import { base58 } from '@scure/base'
import { addressOf, InvalidAddress, scriptOfAddress } from '../src/address.js'
import { type Coin, chainRules, type Network } from '../src/chain-rules.js'
import { CHAIN_NETWORKS } from './arbitraries.js'
import { bytes, vectors } from './vectors.js'

type KeyIo = [address: string, script: string, network: Network][]

describe.each<[Coin, string]>([
  ['btc', 'core-key-io'],
  ['ltc', 'litecoin-key-io'],
])('the addresses of %s', (coin, file) => {
  it.each(vectors<KeyIo>(file))('%s is script %s of %s', (address, script, network) => {
    const rules = chainRules(coin, network)
    expect(scriptOfAddress(address, rules).toString('hex')).toBe(script)
    expect(addressOf(bytes(script), rules)).toBe(address)
  })

  it.each(vectors<string[]>(`${file}-invalid`))('%j is no address of any network', (address) => {
    for (const [each, network] of CHAIN_NETWORKS)
      if (each === coin) expect(() => scriptOfAddress(address, chainRules(coin, network))).toThrow(InvalidAddress)
  })
})

describe('base 58', () => {
  it.each(vectors<[string, string][]>('core-base58'))('writes %j as %j', (hex, text) => {
    expect(base58.encode(bytes(hex))).toBe(text)
    expect(Buffer.from(base58.decode(text)).toString('hex')).toBe(hex)
  })
})
