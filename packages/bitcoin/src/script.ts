import type { BitcoinFormat } from '@trestle/contracts/chains/chain'
import { type Coin, formatOf } from './chain-rules.js'
import { hash160 } from './hash.js'
import { instructionsOf } from './instruction.js'
import {
  OP_0,
  OP_1,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKSIG,
  OP_DUP,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_HASH160,
  OP_HASH256,
  OP_RETURN,
  opcodeName,
} from './opcode.js'
import { sighashNameOf } from './signature.js'

/** The names Core prints. */
export type ScriptType =
  | 'pubkey'
  | 'pubkeyhash'
  | 'scripthash'
  | 'multisig'
  | 'nulldata'
  | 'anchor'
  | 'witness_v0_keyhash'
  | 'witness_v0_scripthash'
  | 'witness_v1_taproot'
  | 'witness_unknown'
  | 'witness_mweb_pegin'
  | 'witness_mweb_hogaddr'
  | 'nonstandard'

export function typeOf(script: Buffer, coin: Coin): ScriptType {
  const format = formatOf(coin)
  if (isPayToScriptHash(script) || (format.cash && isPayToScriptHash32(script))) return 'scripthash'
  const program = format.witness && witnessProgramOf(script)
  if (program) return typeOfWitness(program, format)
  if (script[0] === OP_RETURN) return isPushOnly(script.subarray(1)) ? 'nulldata' : 'nonstandard'
  if (publicKeyOf(script)) return 'pubkey'
  if (isPayToPublicKeyHash(script)) return 'pubkeyhash'
  return isMultisig(script) ? 'multisig' : 'nonstandard'
}

/** The script as Core writes it. */
export function asmOf(script: Buffer, coin: Coin): string {
  return asm(script, coin, (push) => push.toString('hex'))
}

/** The script of an input as Core writes it: signatures with the name of their hash type. */
export function asmOfInput(script: Buffer, coin: Coin): string {
  if (isUnspendable(script)) return asmOf(script, coin)
  return asm(script, coin, (push) => {
    const name = sighashNameOf(push, coin)
    return name ? `${push.toString('hex', 0, push.length - 1)}[${name}]` : push.toString('hex')
  })
}

const LONGEST_SCRIPT = 10_000

/** Whether no input can ever spend it. */
export function isUnspendable(script: Buffer): boolean {
  return script[0] === OP_RETURN || script.length > LONGEST_SCRIPT
}

/** The script an address stands for: to a public key is to its hash, every other script is itself. */
export function ownerScriptOf(script: Buffer): Buffer {
  const key = publicKeyOf(script)
  return key ? payToPublicKeyHash(hash160(key)) : script
}

export function payToPublicKeyHash(hash: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(OP_DUP, OP_HASH160, hash.length), hash, Buffer.of(OP_EQUALVERIFY, OP_CHECKSIG)])
}

/** A hash of 20 bytes, or of 32 on Bitcoin Cash (CHIP-2022-05 P2SH32). */
export function payToScriptHash(hash: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(hash.length === 32 ? OP_HASH256 : OP_HASH160, hash.length), hash, Buffer.of(OP_EQUAL)])
}

export function payToWitness({ version, program }: WitnessProgram): Buffer {
  return Buffer.concat([Buffer.of(version === 0 ? OP_0 : OP_1 + version - 1, program.length), program])
}

export function isPayToPublicKeyHash(script: Buffer): boolean {
  return (
    script.length === 25 &&
    script[0] === OP_DUP &&
    script[1] === OP_HASH160 &&
    script[2] === 20 &&
    script[23] === OP_EQUALVERIFY &&
    script[24] === OP_CHECKSIG
  )
}

export function isPayToScriptHash(script: Buffer): boolean {
  return script.length === 23 && script[0] === OP_HASH160 && script[1] === 20 && script[22] === OP_EQUAL
}

export function isPayToScriptHash32(script: Buffer): boolean {
  return script.length === 35 && script[0] === OP_HASH256 && script[1] === 32 && script[34] === OP_EQUAL
}

export interface WitnessProgram {
  readonly version: number
  readonly program: Buffer
}

/** BIP 141: a version opcode and one push of 2 to 40 bytes. */
export function witnessProgramOf(script: Buffer): WitnessProgram | undefined {
  const [first = 0xff, length] = script
  if (script.length < 4 || script.length > 42 || length !== script.length - 2) return undefined
  if (first !== OP_0 && (first < OP_1 || first > OP_16)) return undefined
  return { version: first === OP_0 ? 0 : first - OP_1 + 1, program: script.subarray(2) }
}

// BIP 433.
const ANCHOR = Buffer.from('4e73', 'hex')

type WitnessTypes = Partial<Record<number, ScriptType>>

// What a program of 32 bytes is, by its version: BIP 141 and 341; LIP 3 and 4.
const WITNESS_TYPES: WitnessTypes = { 0: 'witness_v0_scripthash', 1: 'witness_v1_taproot' }
const MWEB_WITNESS_TYPES: WitnessTypes = { ...WITNESS_TYPES, 8: 'witness_mweb_hogaddr', 9: 'witness_mweb_pegin' }

function typeOfWitness({ version, program }: WitnessProgram, { anchors, mweb }: BitcoinFormat): ScriptType {
  if (version === 0 && program.length === 20) return 'witness_v0_keyhash'
  if (anchors && version === 1 && program.equals(ANCHOR)) return 'anchor'
  const type = program.length === 32 ? (mweb ? MWEB_WITNESS_TYPES : WITNESS_TYPES)[version] : undefined
  return type ?? (version === 0 ? 'nonstandard' : 'witness_unknown')
}

/** The key of a script that pays to one. */
function publicKeyOf(script: Buffer): Buffer | undefined {
  const { length } = script
  if ((length !== 35 && length !== 67) || script[0] !== length - 2 || script[length - 1] !== OP_CHECKSIG) return undefined
  const key = script.subarray(1, -1)
  return isPublicKey(key) ? key : undefined
}

function isPublicKey(bytes: Buffer): boolean {
  const first = bytes[0]
  if (first === 2 || first === 3) return bytes.length === 33
  return (first === 4 || first === 6 || first === 7) && bytes.length === 65
}

const MOST_KEYS = 20

function isMultisig(script: Buffer): boolean {
  if (script.at(-1) !== OP_CHECKMULTISIG) return false
  const [first, ...rest] = instructionsOf(script)
  const required = smallNumber(first)
  const last = rest.pop()
  const total = smallNumber(rest.pop())
  if (required === undefined || total === undefined || last?.opcode !== OP_CHECKMULTISIG) return false
  return required <= total && rest.length === total && rest.every((each) => each?.push && isPublicKey(each.push))
}

/** From 1 to 20, which above 16 is a push of one byte. */
function smallNumber(instruction: { opcode: number; push?: Buffer } | undefined): number | undefined {
  if (!instruction) return undefined
  const { opcode, push } = instruction
  if (opcode >= OP_1 && opcode <= OP_16) return opcode - OP_1 + 1
  const value = opcode === 1 ? (push?.[0] ?? 0) : 0
  return value > 16 && value <= MOST_KEYS ? value : undefined
}

function isPushOnly(script: Buffer): boolean {
  for (const instruction of instructionsOf(script)) if (!instruction || instruction.opcode > OP_16) return false
  return true
}

const MAX_NUMBER_BYTES = 4
// Bitcoin Cash has numbers of 64 bits since May 2022.
const MAX_CASH_NUMBER_BYTES = 8

function asm(script: Buffer, coin: Coin, write: (push: Buffer) => string): string {
  const words: string[] = []
  const maxNumberBytes = formatOf(coin).cash ? MAX_CASH_NUMBER_BYTES : MAX_NUMBER_BYTES
  for (const instruction of instructionsOf(script)) {
    if (!instruction) words.push('[error]')
    else if (!instruction.push) words.push(opcodeName(instruction.opcode, coin))
    else words.push(instruction.push.length <= maxNumberBytes ? String(numberOf(instruction.push)) : write(instruction.push))
  }
  return words.join(' ')
}

/** A script number: little-endian, the highest bit is the sign. */
function numberOf(push: Buffer): bigint {
  if (push.length === 0) return 0n
  const all = BigInt(`0x${Buffer.from(push).reverse().toString('hex')}`)
  const sign = 1n << BigInt(8 * push.length - 1)
  return all < sign ? all : sign - all
}
