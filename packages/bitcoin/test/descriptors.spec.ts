import { createBase58check } from '@scure/base'
import { p2tr } from '@scure/btc-signer'
import { addressOf } from '../src/address.js'
import { chainRules } from '../src/chain-rules.js'
import { InvalidDescriptor, scriptsOfDescriptor } from '../src/descriptor.js'
import { descriptorChecksum } from '../src/descriptor-checksum.js'
import { sha256 } from '../src/hash.js'
import { bytes, vectors } from './vectors.js'

interface Vectors {
  readonly checksums: [what: string, descriptor: string][]
  readonly keys: string[]
  readonly invalidKeys: string[]
  readonly scripts: [bip: number, descriptor: string, scripts: string[]][]
  readonly invalid: [bip: number, descriptor: string][]
}

const MAINNET = chainRules('btc', 'mainnet')
const { checksums, keys, invalidKeys, scripts, invalid } = vectors<Vectors>('bip380-descriptors')
const isKnown = (descriptor: string) => /^(addr|raw|pkh|wpkh|sh\(wpkh|tr)\([^,]*$/.test(descriptor)
const isPrivate = (text: string) => /[xt]prv|L4rK1y|5KYZdU/.test(text)
const scriptsOf = (descriptor: string, count = 3) => scriptsOfDescriptor(descriptor, MAINNET, count).map((script) => script.toString('hex'))

describe('the checksum of a descriptor (BIP 380)', () => {
  it.each(checksums)('%s: %s', (what, descriptor) => {
    if (what === 'Valid checksum' || what === 'No checksum') expect(scriptsOf(descriptor)).toEqual(['deadbeef'])
    else expect(() => scriptsOf(descriptor)).toThrow(InvalidDescriptor)
  })

  it('depends on every character', () => {
    const descriptor = `wpkh(${keys.find((key) => key.startsWith('xpub'))})`
    const checksum = descriptorChecksum(descriptor)
    const others = Array.from(descriptor, (_, i) => descriptorChecksum(`${descriptor.slice(0, i)}~${descriptor.slice(i + 1)}`))
    expect(new Set([checksum, ...others]).size).toBe(descriptor.length + 1)
    expect(scriptsOf(`${descriptor}#${checksum}`)).toEqual(scriptsOf(descriptor))
  })
})

describe('keys of a descriptor (BIP 380)', () => {
  const isHardened = (key: string) => /\/(\d+|\*)[h']/.test(key.replace(/^\[.*\]/, ''))

  it.each(keys.filter((key) => !isPrivate(key) && !isHardened(key)))('takes %s', (key) => {
    expect(scriptsOf(`pkh(${key})`)).toHaveLength(key.endsWith('*') ? 3 : 1)
  })

  it.each(keys.filter(isPrivate))('refuses the private %s', (key) => {
    expect(() => scriptsOf(`pkh(${key})`)).toThrow('it has a private key')
  })

  it.each(keys.filter((key) => !isPrivate(key) && isHardened(key)))('finds no hardened children of %s', (key) => {
    expect(() => scriptsOf(`pkh(${key})`)).toThrow('a public key has no hardened children')
  })

  it.each(invalidKeys)('refuses %s', (key) => {
    expect(() => scriptsOf(`pkh(${key})`)).toThrow(InvalidDescriptor)
  })

  it.each([
    ['2147483648', 'there is no child 2147483648'],
    ['0/*/1', 'its key is not of the form'],
  ])('refuses the path %s', (path, message) => {
    expect(() => scriptsOf(`pkh(${keys.find((key) => key.startsWith('xpub'))}/${path})`)).toThrow(message)
  })

  it('refuses what is no point of the curve', () => {
    expect(() => scriptsOf(`pkh(02${'00'.repeat(31)}05)`)).toThrow('its key is no point of the curve')
    expect(() => scriptsOf(`tr(${'00'.repeat(31)}05)`)).toThrow('its key is no point of the curve')
  })

  it('refuses children of a key that is not extended', () => {
    expect(() => scriptsOf(`pkh(${keys[0]}/0)`)).toThrow('only an extended key has children')
  })
})

describe('scripts of a descriptor (BIP 381, 382, 385, 386)', () => {
  it.each(scripts.filter(([, descriptor]) => isKnown(descriptor) && !isPrivate(descriptor)))('BIP %i: %s', (_, descriptor, expected) => {
    expect(scriptsOf(descriptor)).toEqual(expected)
  })

  it.each(scripts.filter(([, descriptor]) => !isKnown(descriptor) || isPrivate(descriptor)))('refuses, of BIP %i, %s', (_, descriptor) => {
    expect(() => scriptsOf(descriptor)).toThrow(InvalidDescriptor)
  })

  it.each(invalid)('refuses, as BIP %i does, %s', (_, descriptor) => {
    expect(() => scriptsOf(descriptor)).toThrow(InvalidDescriptor)
  })

  it.each([
    ['wsh(pkh(02))', 'wsh() is not one of addr(), raw(), pkh(), wpkh(), sh(wpkh()) and tr()'],
    ['sh(multi(1,02))', 'of sh() only sh(wpkh()) is known, not sh(multi())'],
    ['tr(02,pk(03))', 'of tr() only a key alone is known'],
    ['raw(6a00)', 'nobody can spend what is paid to its script'],
    ['addr(2N1rjhumXA3ephUQTDMfGhufxGQPZuZUTMk)', 'its address is none of this chain: Mismatched network type'],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'it is not of the form name(argument)'],
  ])('says what is wrong with %s', (descriptor, message) => {
    expect(() => scriptsOf(descriptor)).toThrow(message)
  })

  it('has no witness scripts on Bitcoin Cash', () => {
    const key = keys[0]
    const cash = chainRules('bch', 'mainnet')
    for (const form of ['wpkh(', 'sh(wpkh(', 'tr(']) {
      const descriptor = `${form}${key}${')'.repeat(form.split('(').length - 1)}`
      expect(() => scriptsOfDescriptor(descriptor, cash, 1)).toThrow('bch has no witness scripts')
    }
    expect(scriptsOfDescriptor(`pkh(${key})`, cash, 1)).toHaveLength(1)
  })
})

// BIP 84 writes its keys with versions of its own (zpub), which BIP 380 does not have.
const BIP_84 = asXpub('zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs')
const BIP_86 = 'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'

describe('the addresses of wallets', () => {
  it.each([
    [
      `wpkh([73c5da0a/84h/0h/0h]${BIP_84}/0/*)`,
      ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
    ],
    [`wpkh([73c5da0a/84h/0h/0h]${BIP_84}/1/0)`, ['bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el']],
    [
      `tr([73c5da0a/86h/0h/0h]${BIP_86}/0/*)`,
      ['bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh'],
    ],
    [`tr(${BIP_86}/1/0)`, ['bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7']],
  ])('%s', (descriptor, addresses) => {
    expect(scriptsOfDescriptor(descriptor, MAINNET, 2).map((script) => addressOf(script, MAINNET))).toEqual(addresses)
  })

  it('are those of mainnet or those of a test network, never both', () => {
    for (const network of ['testnet', 'testnet4', 'signet', 'regtest'] as const)
      expect(() => scriptsOfDescriptor(`wpkh(${BIP_84}/0/*)`, chainRules('btc', network), 1)).toThrow('of this network')
  })

  it('tweak a key as another library does', () => {
    for (const key of [keys[0], `03${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`] as string[])
      expect(scriptsOf(`tr(${key})`)).toEqual([Buffer.from(p2tr(bytes(key.slice(2))).script).toString('hex')])
  })
})

function asXpub(key: string): string {
  const base58 = createBase58check(sha256)
  return base58.encode(Uint8Array.from([...bytes('0488b21e'), ...base58.decode(key).subarray(4)]))
}
