import { InvalidEthereumData } from './malformed.js'

/** The bytes of hex digits, with or without 0x before them; as many as asked for, if a length is given. */
export function parseHex(text: string, length?: number): Buffer {
  const digits = HEX.exec(text)?.[1]
  if (digits === undefined) throw new InvalidEthereumData('The text is not hex digits, two a byte.')
  const bytes = Buffer.from(digits, 'hex')
  if (length !== undefined && bytes.length !== length) throw new InvalidEthereumData(`There are ${bytes.length} bytes, not ${length}.`)
  return bytes
}

/** As the execution and the beacon API write bytes: lower case, with 0x. */
export function formatHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

const HEX = /^(?:0x)?((?:[0-9a-fA-F]{2})*)$/
