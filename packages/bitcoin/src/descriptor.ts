import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { InvalidAddress, scriptOfAddress } from './address.js'
import type { ChainRules } from './chain-rules.js'
import { descriptorChecksum } from './descriptor-checksum.js'
import { hash160 } from './hash.js'
import { isUnspendable, payToPublicKeyHash, payToScriptHash, payToWitness } from './script.js'

/** A text that describes no outputs of this chain, or not in a form that is known here. */
export class InvalidDescriptor extends Error {
  override readonly name = 'InvalidDescriptor'
}

/**
 * The output scripts of a descriptor (BIP 380): `addr`, `raw`, `pkh`, `wpkh`, `sh(wpkh)`, or `tr` of a key alone. One that ends in
 * a key's `/*` describes one for every child, of which the first `count` are given.
 */
export function scriptsOfDescriptor(descriptor: string, rules: ChainRules, count: number): Buffer[] {
  const { name, argument } = callIn(withoutChecksum(descriptor))
  switch (name) {
    case 'addr':
      return [scriptOf(argument, rules)]
    case 'raw':
      return [rawScript(argument)]
    case 'pkh':
      return keysIn(argument, rules, count).map((key) => payToPublicKeyHash(hash160(key)))
    case 'wpkh':
      return witnessKeyHashes(argument, rules, count)
    case 'sh':
      return nestedWitnessKeyHashes(callIn(argument), rules, count)
    case 'tr':
      return taproots(argument, rules, count)
    default:
      throw new InvalidDescriptor(`${name}() is not one of addr(), raw(), pkh(), wpkh(), sh(wpkh()) and tr()`)
  }
}

interface Call {
  readonly name: string
  readonly argument: string
}

function callIn(text: string): Call {
  const [, name, argument] = /^([a-z_]+)\((.*)\)$/.exec(text) ?? []
  if (name === undefined || argument === undefined) throw new InvalidDescriptor('it is not of the form name(argument)')
  return { name, argument }
}

function withoutChecksum(descriptor: string): string {
  const end = descriptor.indexOf('#')
  const text = end < 0 ? descriptor : descriptor.slice(0, end)
  const checksum = descriptorChecksum(text)
  if (!checksum) throw new InvalidDescriptor('it has a character that no descriptor has')
  if (end >= 0 && descriptor.slice(end + 1) !== checksum) throw new InvalidDescriptor('the checksum after its # is not right')
  return text
}

function scriptOf(address: string, rules: ChainRules): Buffer {
  try {
    return scriptOfAddress(address, rules)
  } catch (error) {
    if (error instanceof InvalidAddress) throw new InvalidDescriptor(`its address is none of this chain: ${error.message}`)
    throw error
  }
}

function rawScript(hex: string): Buffer {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new InvalidDescriptor('its script is not written in hex')
  const script = Buffer.from(hex, 'hex')
  if (isUnspendable(script)) throw new InvalidDescriptor('nobody can spend what is paid to its script')
  return script
}

/** BIP 382. */
function witnessKeyHashes(argument: string, rules: ChainRules, count: number): Buffer[] {
  refuseWithoutWitness(rules)
  const keys = keysIn(argument, rules, count)
  if (keys.some(({ length }) => length !== 33)) throw new InvalidDescriptor('wpkh() takes compressed keys only')
  return keys.map((key) => payToWitness({ version: 0, program: hash160(key) }))
}

function nestedWitnessKeyHashes({ name, argument }: Call, rules: ChainRules, count: number): Buffer[] {
  if (name !== 'wpkh') throw new InvalidDescriptor(`of sh() only sh(wpkh()) is known, not sh(${name}())`)
  return witnessKeyHashes(argument, rules, count).map((script) => payToScriptHash(hash160(script)))
}

/** BIP 386, without its trees of scripts. */
function taproots(argument: string, rules: ChainRules, count: number): Buffer[] {
  refuseWithoutWitness(rules)
  if (argument.includes(',')) throw new InvalidDescriptor('of tr() only a key alone is known')
  const isBareX = /^(\[[^\]]*\])?[0-9a-f]{64}$/i.test(argument)
  // BIP 340: 32 bytes are the key of the two with this x whose y is even.
  const keys = keysIn(isBareX ? argument.replace(/[0-9a-f]{64}$/i, '02$&') : argument, rules, count)
  if (keys.some(({ length }) => length !== 33)) throw new InvalidDescriptor('tr() takes no uncompressed keys')
  return keys.map((key) => payToWitness({ version: 1, program: outputKey(key.subarray(1)) }))
}

function refuseWithoutWitness({ coin, bech32Prefix }: ChainRules): void {
  if (!bech32Prefix) throw new InvalidDescriptor(`${coin} has no witness scripts`)
}

/** BIP 341: a key that commits to having no scripts. */
function outputKey(x: Uint8Array): Buffer {
  const { lift_x, pointToBytes, taggedHash } = schnorr.utils
  const tweak = secp256k1.Point.Fn.create(numberOf(taggedHash('TapTweak', x)))
  return Buffer.from(pointToBytes(lift_x(numberOf(x)).add(secp256k1.Point.BASE.multiply(tweak))))
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

// Where the key comes from, for people; the key; its path; and whether all its children are meant.
const KEY = /^(?:\[[0-9a-fA-F]{8}(?:\/\d+[h']?)*\])?([0-9A-Za-z]+)((?:\/\d+[h']?)*)(\/\*[h']?)?$/
const LAST_CHILD = 0x7fffffff

function keysIn(text: string, rules: ChainRules, count: number): Buffer[] {
  const [, key, path = '', children = ''] = KEY.exec(text) ?? []
  if (!key) throw new InvalidDescriptor('its key is not of the form [origin]key/path/*')
  if (/^([xt]prv|[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$)/.test(key))
    throw new InvalidDescriptor('it has a private key: only public ones belong here')
  if (/^(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i.test(key)) return path || children ? refuseSteps() : [checkedKey(key)]
  if (/[h']/.test(path + children)) throw new InvalidDescriptor('a public key has no hardened children')
  const parent = path.split('/').slice(1).map(Number).reduce(childOf, extendedKey(key, rules))
  if (!children) return [publicKeyOf(parent)]
  return Array.from({ length: count }, (_, i) => publicKeyOf(childOf(parent, i)))
}

function refuseSteps(): never {
  throw new InvalidDescriptor('only an extended key has children')
}

function checkedKey(hex: string): Buffer {
  try {
    secp256k1.Point.fromHex(hex)
  } catch {
    throw new InvalidDescriptor('its key is no point of the curve')
  }
  return Buffer.from(hex, 'hex')
}

// BIP 32. A private key was refused before it comes to this.
const NO_PRIVATE_KEY = 0

function extendedKey(text: string, { extendedKeyVersion }: ChainRules): HDKey {
  try {
    return HDKey.fromExtendedKey(text, { public: extendedKeyVersion, private: NO_PRIVATE_KEY })
  } catch {
    throw new InvalidDescriptor('its key is neither one in hex nor an extended public key (xpub, of a test network tpub) of this network')
  }
}

function childOf(parent: HDKey, index: number): HDKey {
  if (index > LAST_CHILD) throw new InvalidDescriptor(`there is no child ${index}`)
  return parent.deriveChild(index)
}

function publicKeyOf({ publicKey }: HDKey): Buffer {
  if (!publicKey) throw new InvalidDescriptor('its extended key has no public key')
  return Buffer.from(publicKey)
}
