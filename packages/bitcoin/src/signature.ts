import { type Coin, formatOf } from './chain-rules.js'

const BASE_NAMES = ['ALL', 'NONE', 'SINGLE']
const ANYONECANPAY = 0x80
const FORKID = 0x40
// CHIP-2022-02.
const UTXOS = 0x20
const SCHNORR_LENGTH = 65
const LONGEST_SIGNATURE = 73

/** The hash type of what looks like a signature, as the node names it; undefined if these bytes are none. */
export function sighashNameOf(signature: Buffer, coin: Coin): string | undefined {
  const isSignature = isStrictDer(signature) || (formatOf(coin).cash && signature.length === SCHNORR_LENGTH)
  return isSignature ? nameOf(signature.readUInt8(signature.length - 1), coin) : undefined
}

function nameOf(type: number, coin: Coin): string | undefined {
  const base = BASE_NAMES[(type & 0x1f) - 1]
  const flags = type & ~0x1f
  if (!base || (!formatOf(coin).cash && flags & (FORKID | UTXOS))) return undefined
  // The UTXOs are signed only together with the fork id, and never when anyone can pay.
  if (flags & UTXOS && flags !== (UTXOS | FORKID)) return undefined
  return [base, flags & FORKID && 'FORKID', flags & UTXOS && 'UTXOS', flags & ANYONECANPAY && 'ANYONECANPAY'].filter(Boolean).join('|')
}

/** BIP 66: 0x30 length 0x02 R-length R 0x02 S-length S hash-type, with R and S positive and without padding. */
function isStrictDer(signature: Buffer): boolean {
  const { length } = signature
  if (length > LONGEST_SIGNATURE || signature[0] !== 0x30 || signature[1] !== length - 3) return false
  const lengthR = signature[3] ?? 0
  const lengthS = signature[5 + lengthR] ?? 0
  if (lengthR + lengthS + 7 !== length) return false
  return isInteger(signature, 2, lengthR) && isInteger(signature, 4 + lengthR, lengthS)
}

function isInteger(signature: Buffer, offset: number, length: number): boolean {
  const first = signature[offset + 2] ?? 0
  const second = signature[offset + 3] ?? 0
  if (signature[offset] !== 0x02 || length === 0 || first & 0x80) return false
  return !(length > 1 && first === 0 && !(second & 0x80))
}
