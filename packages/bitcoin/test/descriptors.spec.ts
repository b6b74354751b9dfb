import { createBase58check } from '@scure/base'
import { p2ms, p2tr, p2tr_ms, p2wsh } from '@scure/btc-signer'
import fc from 'fast-check'
import { addressOf } from '../src/address.js'
import { type ChainRules, chainRules } from '../src/chain-rules.js'
import { descriptorChecksum } from '../src/descriptors/checksum.js'
import { descriptorOf, scriptsOf as scriptsOfDescriptor } from '../src/descriptors/descriptor.js'
import { InvalidDescriptor } from '../src/descriptors/invalid-descriptor.js'
import { walletDescriptor } from '../src/descriptors/wallet.js'
import { sha256 } from '../src/hash.js'
import { bytes, vectors } from './vectors.js'

interface Vectors {
  readonly checksums: [what: string, descriptor: string][]
  readonly keys: string[]
  readonly invalidKeys: string[]
  readonly scripts: [bip: number, descriptor: string, scripts: string[]][]
  readonly multipath: [descriptor: string, expanded: string[]][]
  readonly invalid: [bip: number, descriptor: string][]
}

const COMPRESSED = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
const XPUB = 'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'
const ZPUB = 'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
// BIP 84 writes its keys with versions of its own (zpub), which BIP 380 does not have.
const XPUB_OF_BIP_84 = asXpub(ZPUB)
const MAINNET = chainRules('btc', 'mainnet')
const { checksums, keys, invalidKeys, scripts, multipath, invalid } = vectors<Vectors>('bip380-descriptors')
const isPrivate = (text: string) => /[xt]prv|L4rK1y|5KYZdU/.test(text)
const scriptsOn = (rules: ChainRules, descriptor: string, count: number) => scriptsOfDescriptor(descriptorOf(descriptor, rules), count)
const scriptsOf = (descriptor: string, count = 3) => scriptsOn(MAINNET, descriptor, count).map((script) => script.toString('hex'))

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

describe('scripts of a descriptor (BIP 381, 382, 383, 385, 386, 387)', () => {
  it.each(scripts.filter(([, descriptor]) => !isPrivate(descriptor)))('BIP %i: %s', (_, descriptor, expected) => {
    expect(scriptsOf(descriptor)).toEqual(expected)
  })

  it.each(scripts.filter(([, descriptor]) => isPrivate(descriptor)))('refuses, of BIP %i, the private %s', (_, descriptor) => {
    expect(() => scriptsOf(descriptor)).toThrow(/^(it has a private key|tr\(\) takes no pkh\(\)$)/)
  })

  it.each(invalid)('refuses, as BIP %i does, %s', (_, descriptor) => {
    expect(() => scriptsOf(descriptor)).toThrow(InvalidDescriptor)
  })

  it.each([
    ['combo(02)', 'combo() is not known'],
    ['wsh(and_v(v:pk(02),older(3)))', 'wsh() takes no and_v()'],
    ['sh(tr(02))', 'sh() takes no tr()'],
    ['pkh(02,03)', 'pkh() takes one argument'],
    ['pk(multi(1,02)', 'its brackets do not match'],
    ['wsh(multi(3,02,03))', 'multi() takes how many must sign, and at least so many and at most 20 keys'],
    [`sh(multi(1${`,${COMPRESSED}`.repeat(16)}))`, 'a script in sh() has at most 520 bytes'],
    [`tr(${COMPRESSED},{pk(${COMPRESSED})})`, 'a branch of a tree is written {left,right}'],
    [`tr(${COMPRESSED},pkh(${COMPRESSED}))`, 'tr() takes no pkh()'],
    [`tr(${COMPRESSED},pk(${COMPRESSED}),1)`, 'tr() takes a key and a tree'],
    [`tr(${COMPRESSED},${'{'.repeat(129)}pk(02)${`,pk(${COMPRESSED})}`.repeat(129)})`, 'a tree is at most 128 branches deep'],
    [`raw(${'00'.repeat(50_000)})`, 'it is too long'],
    [`pkh(${XPUB}/<0;1;1>/*)`, 'a step of several numbers has one of them twice'],
    [`pkh(${XPUB}/<0;1>/<2;3>/*)`, 'its path has more than one step of several numbers'],
    [`pkh(${XPUB}/<0;1h>/*)`, 'a public key has no hardened children'],
    [`pkh(${XPUB}/<0;>/*)`, 'a step of several numbers is written <0;1>'],
    [`sortedmulti(1,${XPUB}/<0;1>/*,${XPUB}/<2;3;4>/*)`, 'its steps of several numbers differ in how many they have'],
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
      expect(() => scriptsOn(cash, descriptor, 1)).toThrow('bch has no witness scripts')
    }
    expect(scriptsOn(cash, `pkh(${key})`, 1)).toHaveLength(1)
    expect(scriptsOn(cash, `sh(sortedmulti(1,${key},${COMPRESSED}))`, 1)).toHaveLength(1)
  })

  it('are those of its keys at the same index, in any order of the keys', () => {
    const other = XPUB_OF_BIP_84
    for (let index = 0; index < 5; index++) {
      const keys = [XPUB, other].map((key) => scriptsOf(`pk(${key}/3/${index})`)[0]?.slice(2, -2) ?? '').sort()
      const { script } = p2wsh(p2ms(2, keys.map(bytes)))
      for (const pair of [`${XPUB}/3/*,${other}/3/*`, `${other}/3/*,${XPUB}/3/*`])
        expect(scriptsOf(`wsh(sortedmulti(2,${pair}))`, index + 1).at(-1)).toBe(Buffer.from(script).toString('hex'))
    }
  })
})

describe('multisig in Tapscript', () => {
  it.each([2, 17, 130])('is that of another library, with %i keys', (count) => {
    const keys = Array.from({ length: count }, (_, i) => scriptsOf(`pk(${XPUB}/7/${i})`)[0]?.slice(4, -2) ?? '')
    const { script: leaf } = p2tr_ms(count, keys.map(bytes))
    const { script } = p2tr(bytes(COMPRESSED.slice(2)), { script: leaf }, undefined, true)
    expect(scriptsOf(`tr(${COMPRESSED},multi_a(${count},${keys}))`)).toEqual([Buffer.from(script).toString('hex')])
  })
})

describe('a descriptor of several paths (BIP 389)', () => {
  it.each(multipath)('%s', (descriptor, expanded) => {
    expect(descriptorOf(descriptor, MAINNET).branches).toBe(expanded.length)
    expect(scriptsOf(descriptor)).toEqual(expanded.flatMap((each) => scriptsOf(each)))
  })
})

describe('the addresses of wallets', () => {
  it.each([
    [
      `wpkh([73c5da0a/84h/0h/0h]${XPUB_OF_BIP_84}/0/*)`,
      ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
    ],
    [`wpkh([73c5da0a/84h/0h/0h]${XPUB_OF_BIP_84}/1/0)`, ['bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el']],
    [
      `tr([73c5da0a/86h/0h/0h]${XPUB}/0/*)`,
      ['bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh'],
    ],
    [`tr(${XPUB}/1/0)`, ['bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7']],
  ])('%s', (descriptor, addresses) => {
    expect(scriptsOn(MAINNET, descriptor, 2).map((script) => addressOf(script, MAINNET))).toEqual(addresses)
  })

  it('are those of mainnet or those of a test network, never both', () => {
    for (const network of ['testnet', 'testnet4', 'signet', 'regtest'] as const)
      expect(() => scriptsOn(chainRules('btc', network), `wpkh(${XPUB_OF_BIP_84}/0/*)`, 1)).toThrow('of this network')
  })

  it('tweak a key as another library does', () => {
    for (const key of [keys[0], `03${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`] as string[])
      expect(scriptsOf(`tr(${key})`)).toEqual([Buffer.from(p2tr(bytes(key.slice(2))).script).toString('hex')])
  })
})

describe(walletDescriptor, () => {
  const UPUB = 'upub5EFU65HtV5TeiSHmZZm7FUffBGy8UKeqp7vw43jYbvZPpoVsgU93oac7Wk3u6moKegAEWtGNF8DehrnHtv21XXEMYRUocHqguyjknFHYfgY'
  const addressesOf = (text: string, rules: ChainRules) => {
    const { branches, scriptAt } = descriptorOf(walletDescriptor(text, rules), rules)
    return Array.from({ length: branches }, (_, branch) => addressOf(scriptAt({ branch, index: 0 }), rules))
  }

  it('is that of BIP 84 for a zpub, receiving and change', () => {
    expect(addressesOf(ZPUB, MAINNET)).toEqual(['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'])
  })

  it('is that of BIP 49 for an upub', () => {
    expect(addressesOf(UPUB, chainRules('btc', 'testnet'))[0]).toBe('2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2')
  })

  it('is that of BIP 44 for the xpub of each chain', () => {
    expect(walletDescriptor(XPUB, MAINNET)).toBe(`pkh(${XPUB}/<0;1>/*)`)
    expect(addressesOf(XPUB, chainRules('bch', 'mainnet'))[0]).toMatch(/^bitcoincash:q/)
  })

  it('is a descriptor as it is', () => {
    const text = `wsh(sortedmulti(1,${XPUB}/<0;1>/*))`
    expect(walletDescriptor(text, MAINNET)).toBe(text)
  })

  it.each([
    [ZPUB, 'testnet', 'its key is of another network'],
    [UPUB, 'mainnet', 'its key is of another network'],
    [withVersion(XPUB, '02aa7ed3'), 'mainnet', 'its key is one of several of a multisig wallet: give the descriptor'],
    [withVersion(XPUB, '0488ade4'), 'mainnet', 'it is a private key: only public ones belong here'],
    [withVersion(XPUB, '04b2430c'), 'mainnet', 'it is a private key: only public ones belong here'],
    [withVersion(XPUB, '01020304'), 'mainnet', 'it is neither a descriptor nor an extended public key'],
    [`${XPUB.slice(0, -1)}R`, 'mainnet', 'it is neither a descriptor nor an extended public key'],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'mainnet', 'it is neither a descriptor nor an extended public key'],
    ['', 'mainnet', 'it is neither a descriptor nor an extended public key'],
  ] as const)('refuses %s of %s: %s', (text, network, message) => {
    expect(() => walletDescriptor(text, chainRules('btc', network))).toThrow(new RegExp(`^${message}`))
  })

  it('refuses any other text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...XPUB, '(', ')', ',', '/', '*', '<', ';', '>', '{', '}') })),
        (text) => {
          expect(() => descriptorOf(walletDescriptor(text, MAINNET), MAINNET)).toThrow(InvalidDescriptor)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

function asXpub(key: string): string {
  return withVersion(key, '0488b21e')
}

function withVersion(key: string, version: string): string {
  const base58 = createBase58check(sha256)
  return base58.encode(Uint8Array.from([...bytes(version), ...base58.decode(key).subarray(4)]))
}
