import type { Transaction } from '../src/transaction.js'

export interface TransactionFields extends Omit<Transaction, 'txid' | 'raw' | 'isCoinbase'> {
  /** A stack of items for each input; none of them may have any. */
  readonly witnesses?: readonly (readonly Buffer[])[]
}

/** BIP 144. */
export function serialize({ version, type = 0, extraPayload, inputs, outputs, lockTime, witnesses = [] }: TransactionFields): Buffer {
  const hasWitness = witnesses.some((items) => items.length > 0)
  return Buffer.concat([
    uint32(type ? ((version & 0xffff) | (type << 16)) >>> 0 : version >>> 0),
    ...(hasWitness ? [Buffer.of(0, 1)] : []),
    compactSize(inputs.length),
    ...inputs.flatMap(({ txid, vout, script, sequence }) => [
      Buffer.from(txid).reverse(),
      uint32(vout),
      compactSize(script.length),
      script,
      uint32(sequence),
    ]),
    compactSize(outputs.length),
    ...outputs.flatMap(({ value, script, tokenPrefix = Buffer.alloc(0) }) => [
      uint64(value),
      compactSize(tokenPrefix.length + script.length),
      tokenPrefix,
      script,
    ]),
    ...(hasWitness ? inputs.flatMap((_, index) => stack(witnesses[index] ?? [])) : []),
    uint32(lockTime),
    ...(extraPayload ? [compactSize(extraPayload.length), extraPayload] : []),
  ])
}

export function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value)
  if (value <= 0xffff) return Buffer.from([0xfd, value & 0xff, value >> 8])
  return Buffer.concat([Buffer.of(0xfe), uint32(value)])
}

export function uint32(value: number): Buffer {
  const written = Buffer.alloc(4)
  written.writeUInt32LE(value)
  return written
}

function uint64(value: bigint): Buffer {
  const written = Buffer.alloc(8)
  written.writeBigUInt64LE(value)
  return written
}

function stack(items: readonly Buffer[]): Buffer[] {
  return [compactSize(items.length), ...items.flatMap((item) => [compactSize(item.length), item])]
}
