import { OP_1, OP_16, OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_NUMEQUAL } from '../opcode.js'

export function payToPublicKey(key: Buffer): Buffer {
  return Buffer.concat([push(key), Buffer.of(OP_CHECKSIG)])
}

/** BIP 11: so many of these must sign. */
export function multisig(required: number, keys: readonly Buffer[]): Buffer {
  return Buffer.concat([number(required), ...keys.map(push), number(keys.length), Buffer.of(OP_CHECKMULTISIG)])
}

/** The same in Tapscript (BIP 342, BIP 387). */
export function multisigByAddition(required: number, keys: readonly Buffer[]): Buffer {
  const checks = keys.map((key, i) => Buffer.concat([push(key), Buffer.of(i === 0 ? OP_CHECKSIG : OP_CHECKSIGADD)]))
  return Buffer.concat([...checks, number(required), Buffer.of(OP_NUMEQUAL)])
}

function push(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}

/** As Script writes numbers: little-endian, the highest bit for the sign. */
function number(value: number): Buffer {
  if (value <= OP_16 - OP_1 + 1) return Buffer.of(OP_1 + value - 1)
  return push(value < 0x80 ? Buffer.of(value) : Buffer.of(value & 0xff, value >> 8))
}
