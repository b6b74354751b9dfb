// Recursive length prefix (Yellow Paper, appendix B).

/** RLP of bytes. */
export function rlpBytes(bytes: Buffer): Buffer {
  const [first = 0] = bytes
  return bytes.length === 1 && first < 0x80 ? bytes : Buffer.concat([lengthOf(bytes.length, 0x80), bytes])
}

/** RLP of a list of what is encoded already. */
export function rlpList(items: readonly Buffer[]): Buffer {
  const length = items.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([lengthOf(length, 0xc0), ...items])
}

function lengthOf(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.of(offset + length)
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return Buffer.concat([Buffer.of(offset + 55 + bytes.length), bytes])
}
