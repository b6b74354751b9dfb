import { hash160, sha256 } from '@trestle/bitcoin/hash'
import { type Key, keyOf } from './keys.js'

/** Somebody who is paid and can spend it: one key and one script for it. */
export interface Owner {
  readonly key: Key
  /** The output script that pays them. */
  readonly script: Buffer
  /** The same as an output descriptor, without its checksum. */
  readonly descriptor: string
  /** What a signer needs besides the script. */
  readonly redeemScript?: Buffer
  readonly witnessScript?: Buffer
}

type Payee = Omit<Owner, 'key'>

const OP_1 = 0x51
const OP_2 = 0x52
const OP_RETURN = 0x6a
const OP_DUP = 0x76
const OP_EQUAL = 0x87
const OP_EQUALVERIFY = 0x88
const OP_HASH160 = 0xa9
const OP_CHECKSIG = 0xac
const OP_CHECKMULTISIG = 0xae

/** The scripts that a node can sign for when it is given the key and the scripts. */
const SCRIPT_TYPES = ['pubkey', 'pubkeyhash', 'multisig', 'witnessKeyHash', 'witnessScriptHash', 'witnessInScriptHash'] as const
type ScriptType = (typeof SCRIPT_TYPES)[number]

const PAYEES: Record<ScriptType, (publicKey: Buffer) => Payee> = {
  pubkey: (publicKey) => ({ script: payToPublicKey(publicKey), descriptor: `pk(${hex(publicKey)})` }),
  pubkeyhash: (publicKey) => ({
    script: Buffer.from([OP_DUP, OP_HASH160, ...push(hash160(publicKey)), OP_EQUALVERIFY, OP_CHECKSIG]),
    descriptor: `pkh(${hex(publicKey)})`,
  }),
  multisig: (publicKey) => {
    const { publicKey: other } = keyOf('co-signer')
    const script = Buffer.from([OP_1, ...push(publicKey), ...push(other), OP_2, OP_CHECKMULTISIG])
    return { script, descriptor: `multi(1,${hex(publicKey)},${hex(other)})` }
  },
  // BIP 141
  witnessKeyHash: (publicKey) => ({ script: payToWitnessKeyHash(publicKey), descriptor: `wpkh(${hex(publicKey)})` }),
  witnessScriptHash: (publicKey) => {
    const witnessScript = payToPublicKey(publicKey)
    const script = Buffer.from([0, ...push(sha256(witnessScript))])
    return { script, witnessScript, descriptor: `wsh(pk(${hex(publicKey)}))` }
  },
  witnessInScriptHash: (publicKey) => {
    const redeemScript = payToWitnessKeyHash(publicKey)
    const script = Buffer.from([OP_HASH160, ...push(hash160(redeemScript)), OP_EQUAL])
    return { script, redeemScript, descriptor: `sh(wpkh(${hex(publicKey)}))` }
  },
}

/** Always the same owner for the same name. */
export function ownerOf(name: string, type: ScriptType): Owner {
  const key = keyOf(name)
  return { key, ...PAYEES[type](key.publicKey) }
}

/** Is paid for the blocks. */
export const MINER = ownerOf('till', 'witnessKeyHash')
/** Is paid by everybody: the owner with the long history. */
export const SHOP = ownerOf('shop', 'pubkeyhash')
export const PEOPLE = SCRIPT_TYPES.flatMap((type) => [1, 2, 3, 4].map((n) => ownerOf(`${type} ${n}`, type)))

/** BIP 341, with a key that is used as it is. A node does not sign for it with the key alone: what is paid here stays. */
export function payToTaproot({ publicKey }: Key): Buffer {
  return Buffer.from([OP_1, ...push(publicKey.subarray(1))])
}

/** Keeps a text on the chain, and pays nobody. */
export function nullDataScript(text: string): Buffer {
  return Buffer.from([OP_RETURN, ...push(Buffer.from(text))])
}

function payToPublicKey(publicKey: Buffer): Buffer {
  return Buffer.from([...push(publicKey), OP_CHECKSIG])
}

function payToWitnessKeyHash(publicKey: Buffer): Buffer {
  return Buffer.from([0, ...push(hash160(publicKey))])
}

/** For up to 75 bytes. */
function push(data: Buffer): Buffer {
  return Buffer.from([data.length, ...data])
}

function hex(data: Buffer): string {
  return data.toString('hex')
}
