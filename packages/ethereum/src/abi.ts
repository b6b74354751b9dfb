/** An argument of a call or an event: a Buffer is bytes32, an object is bytes. */
type AbiValue = Buffer | { readonly bytes: Buffer }

export const WORD_LENGTH = 32

/** Contract ABI: a word for each value. For bytes it is an offset; there stand their length and the bytes, padded to whole words. */
export function encodeAbi(values: readonly AbiValue[]): Buffer {
  const heads: Buffer[] = []
  const tails: Buffer[] = []
  let offset = values.length * WORD_LENGTH
  for (const value of values) {
    if (Buffer.isBuffer(value)) {
      heads.push(value)
      continue
    }
    const tail = encodeBytes(value.bytes)
    heads.push(word(offset))
    tails.push(tail)
    offset += tail.length
  }
  return Buffer.concat([...heads, ...tails])
}

function encodeBytes(bytes: Buffer): Buffer {
  const padded = Math.ceil(bytes.length / WORD_LENGTH) * WORD_LENGTH
  return Buffer.concat([word(bytes.length), bytes], WORD_LENGTH + padded)
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(WORD_LENGTH)
  bytes.writeUInt32BE(value, WORD_LENGTH - 4)
  return bytes
}
