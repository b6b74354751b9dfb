import { InvalidEthereumData } from './malformed.js'

/** The bytes of hex digits, with or without 0x; exactly `length` bytes if it is given. */
export function parseHex(text: string, length?: number): Buffer {
  const digits = HEX.exec(text)?.[1]
  if (digits === undefined) throw new InvalidEthereumData('The text is not hexadecimal digits, two for each byte.')
  const bytes = Buffer.from(digits, 'hex')
  if (length !== undefined && bytes.length !== length) throw new InvalidEthereumData(`There are ${bytes.length} bytes, not ${length}.`)
  return bytes
}

/** Bytes as the execution and the beacon API write them: lower case with 0x. */
export function formatHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

const HEX = /^(?:0x)?((?:[0-9a-fA-F]{2})*)$/
