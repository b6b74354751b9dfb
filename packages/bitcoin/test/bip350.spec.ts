import { addressOf, InvalidAddress, scriptOfAddress } from '../src/address.js'
import { chainRules } from '../src/chain-rules.js'
import { bytes, vectors } from './vectors.js'

interface Vectors {
  valid: [address: string, script: string][]
  invalid: [address: string, why: string][]
}

const bip173 = vectors<Vectors>('bip173')
const bip350 = vectors<Vectors>('bip350')

describe('BIP 350', () => {
  it.each(bip350.valid)('reads and writes %s', (address, script) => {
    const rules = rulesOf(address)
    expect(scriptOfAddress(address, rules).toString('hex')).toBe(script)
    expect(addressOf(bytes(script), rules)).toBe(address.toLowerCase())
  })

  it.each(bip350.invalid)('refuses %s: %s', (address) => {
    expect(() => scriptOfAddress(address, rulesOf(address))).toThrow(InvalidAddress)
  })
})

describe('BIP 173, which BIP 350 leaves in force for version 0 only', () => {
  it.each(bip173.valid)('reads %s if its version is 0', (address, script) => {
    const read = () => scriptOfAddress(address, rulesOf(address)).toString('hex')
    if (script.startsWith('00')) expect(read()).toBe(script)
    else expect(read).toThrow('Checksum mismatch')
  })

  it.each(bip173.invalid)('refuses %s: %s', (address) => {
    expect(() => scriptOfAddress(address, rulesOf(address))).toThrow(InvalidAddress)
  })
})

function rulesOf(address: string) {
  return chainRules('btc', address.toLowerCase().startsWith('tb') ? 'testnet' : 'mainnet')
}
