import { keccak256 } from './hash.js'
import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'

/** The 20 bytes of an address. If it mixes upper and lower case, these must be its checksum (EIP-55). */
export function parseAddress(text: string): Buffer {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new InvalidEthereumData('An address is 0x and 40 hex digits.')
  const bytes = parseHex(text)
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && text !== formatAddress(bytes))
    throw new InvalidEthereumData('The address has a wrong checksum in its upper and lower case (EIP-55).')
  return bytes
}

/** EIP-55: a letter is upper case if the same digit of the hash of the lower-case text is at least 8. */
export function formatAddress(address: Uint8Array): string {
  if (address.length !== ADDRESS_LENGTH) throw new InvalidEthereumData(`An address has ${ADDRESS_LENGTH} bytes, not ${address.length}.`)
  const digits = Buffer.from(address).toString('hex')
  const hash = keccak256(Buffer.from(digits)).toString('hex')
  return `0x${Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

export const ADDRESS_LENGTH = 20
