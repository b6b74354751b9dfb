import { base58, bech32, bech32m } from '@scure/base'
import { type CashAddress, decodeCashAddress, encodeCashAddress, hasCashChecksum } from './cashaddr.js'
import { type ChainRules, NETWORKS } from './chain-rules.js'
import { sha256d } from './hash.js'
import {
  isPayToPublicKeyHash,
  isPayToScriptHash,
  isPayToScriptHash32,
  ownerScriptOf,
  payToPublicKeyHash,
  payToScriptHash,
  payToWitness,
  typeOf,
  type WitnessProgram,
  witnessProgramOf,
} from './script.js'

/** An address that names no script of this chain. The message is Insight's, without its "Invalid address: ". */
export class InvalidAddress extends Error {
  override readonly name = 'InvalidAddress'
}

/** The address of a script, undefined if it has none. A public key has that of its hash. */
export function addressOf(script: Buffer, rules: ChainRules): string | undefined {
  const owner = ownerScriptOf(script)
  if (isPayToPublicKeyHash(owner)) return keyAddress(owner.subarray(3, 23), rules)
  if (isPayToScriptHash(owner)) return scriptAddress(owner.subarray(2, 22), rules)
  if (rules.cashPrefix) return isPayToScriptHash32(owner) ? scriptAddress(owner.subarray(2, 34), rules) : undefined
  const witness = witnessProgramOf(owner)
  return witness && rules.bech32Prefix && !isMweb(owner, rules) ? witnessAddress(rules.bech32Prefix, witness) : undefined
}

/** The script an address stands for. */
export function scriptOfAddress(address: string, rules: ChainRules): Buffer {
  const text = address.trim()
  if (rules.coin === 'ltc' && MWEB_ADDRESS.test(text)) throw new InvalidAddress(IN_EXTENSION_BLOCK)
  // Reading base 58 takes time that grows with the square of the length.
  if (text.length > LONGEST) throw new InvalidAddress('Address is too long')
  if (CASH_ADDRESS.test(text)) return scriptOfCashAddress(text, rules.cashPrefix)
  const prefix = BECH32_ADDRESS.exec(text)?.[1]?.toLowerCase()
  return prefix ? scriptOfBech32(text, prefix === rules.bech32Prefix) : scriptOfBase58(text, rules)
}

const LONGEST = 120
const BECH32_ADDRESS = new RegExp(`^(${[...new Set(NETWORKS.flatMap(({ bech32Prefix = [] }) => bech32Prefix))].join('|')})1`, 'i')
const CASH_PREFIXES = NETWORKS.flatMap(({ cashPrefix = [] }) => cashPrefix)
// No other form has a colon, or this many characters without a separator.
const CASH_ADDRESS = /^.*:|^[qpzr][02-9ac-hj-np-z]{41,}$/i
// LIP 4: stealth addresses, which no output shows.
const MWEB_ADDRESS = /^(ltcmweb|tmweb)1[02-9ac-hj-np-z]{100,120}$/i
const IN_EXTENSION_BLOCK = 'An address of the extension block (MWEB) has no history that others can see'
const CHECKSUM_LENGTH = 4
const MISMATCHED_NETWORK = 'Mismatched network type'
const CHECKSUM_MISMATCH = 'Checksum mismatch'

function keyAddress(hash: Buffer, { cashPrefix, pubKeyHashVersion }: ChainRules): string {
  return cashPrefix ? encodeCashAddress(cashPrefix, { type: 'key', hash }) : encodeBase58(pubKeyHashVersion, hash)
}

function scriptAddress(hash: Buffer, { cashPrefix, scriptHashVersions: [version = 0] }: ChainRules): string {
  return cashPrefix ? encodeCashAddress(cashPrefix, { type: 'script', hash }) : encodeBase58(version, hash)
}

/** What is locked up for the extension block has no owner outside it. */
function isMweb(script: Buffer, { coin }: ChainRules): boolean {
  return typeOf(script, coin).startsWith('witness_mweb')
}

/** Undefined for a version 0 program of a length that BIP 141 makes unspendable. */
function witnessAddress(prefix: string, { version, program }: WitnessProgram): string | undefined {
  if (version === 0) return isVersion0(program) ? bech32.encode(prefix, [0, ...bech32.toWords(program)]) : undefined
  // BIP 350.
  return bech32m.encode(prefix, [version, ...bech32m.toWords(program)])
}

function isVersion0(program: Uint8Array): boolean {
  return program.length === 20 || program.length === 32
}

function encodeBase58(version: number, hash: Buffer): string {
  const payload = Buffer.concat([Buffer.of(version), hash])
  return base58.encode(Buffer.concat([payload, sha256d(payload).subarray(0, CHECKSUM_LENGTH)]))
}

function scriptOfBase58(address: string, { pubKeyHashVersion, scriptHashVersions }: ChainRules): Buffer {
  const payload = decodeBase58(address)
  if (payload.length !== 21) throw new InvalidAddress('Address buffers must be exactly 21 bytes.')
  const version = payload.readUInt8(0)
  const hash = payload.subarray(1)
  if (version === pubKeyHashVersion) return payToPublicKeyHash(hash)
  if (scriptHashVersions.includes(version)) return payToScriptHash(hash)
  throw new InvalidAddress(MISMATCHED_NETWORK)
}

function decodeBase58(address: string): Buffer {
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(address)) throw new InvalidAddress('Non-base58 character')
  const bytes = Buffer.from(base58.decode(address))
  if (bytes.length < CHECKSUM_LENGTH) throw new InvalidAddress('Input string too short')
  const payload = bytes.subarray(0, -CHECKSUM_LENGTH)
  if (!sha256d(payload).subarray(0, CHECKSUM_LENGTH).equals(bytes.subarray(-CHECKSUM_LENGTH))) throw new InvalidAddress(CHECKSUM_MISMATCH)
  return payload
}

function scriptOfBech32(address: string, isOwn: boolean): Buffer {
  const [version, program] = decodeBech32(address)
  if (!isOwn) throw new InvalidAddress(MISMATCHED_NETWORK)
  return payToWitness({ version, program })
}

function decodeBech32(address: string): [version: number, program: Buffer] {
  const old = bech32.decodeUnsafe(address)
  const decoded = old ?? bech32m.decodeUnsafe(address)
  if (!decoded) throw new InvalidAddress(CHECKSUM_MISMATCH)
  const [version = 32, ...words] = decoded.words
  const program = bech32.fromWordsUnsafe(words)
  if (version > 16 || !program || program.length < 2 || program.length > 40) throw new InvalidAddress('Witness program is not valid')
  // BIP 350: version 0 has the checksum of bech32, every other that of bech32m.
  if ((version === 0) !== (old !== undefined)) throw new InvalidAddress(CHECKSUM_MISMATCH)
  if (version === 0 && !isVersion0(program)) throw new InvalidAddress('Witness program is not valid')
  return [version, Buffer.from(program)]
}

function scriptOfCashAddress(address: string, ownPrefix: string | undefined): Buffer {
  const lower = address.toLowerCase()
  if (address !== lower && address !== address.toUpperCase()) throw new InvalidAddress('Address mixes upper and lower case')
  const colon = lower.indexOf(':')
  const text = lower.slice(colon + 1)
  const prefix = (colon < 0 ? CASH_PREFIXES : [lower.slice(0, colon)]).find((each) => hasCashChecksum(each, text))
  if (!prefix) throw new InvalidAddress(CHECKSUM_MISMATCH)
  if (prefix !== ownPrefix) throw new InvalidAddress(MISMATCHED_NETWORK)
  return scriptOfCash(decodeCashAddress(text))
}

function scriptOfCash(address: CashAddress | undefined): Buffer {
  const { type, hash } = address ?? {}
  if (type === 'key' && hash?.length === 20) return payToPublicKeyHash(hash)
  if (type === 'script' && (hash?.length === 20 || hash?.length === 32)) return payToScriptHash(hash)
  throw new InvalidAddress('Address payload is not valid')
}
