import { keccak_256 } from '@noble/hashes/sha3.js'

// The fields of a header in their order, by the names that JSON-RPC has for them: the Yellow Paper's, then those of EIP-1559, 4895, 4844,
// 4788 and 7685. A number has no leading zeros in RLP; all else is bytes.
const FIELDS = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
const LATER_FIELDS = ['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash']
// What JSON-RPC shows besides.
const NOT_HASHED = ['hash', 'totalDifficulty', 'size', 'transactions', 'uncles', 'withdrawals']
const KNOWN = new Set([...FIELDS, ...LATER_FIELDS, ...NOT_HASHED])
const NUMBERS = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'])
const HEX = /^0x[0-9a-f]*$/i

/** The hash of a block by the fields of its header; undefined where some are missing or unknown, as on other chains, or after a fork to come. */
export function headerHash(header: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in header) if (!KNOWN.has(name)) return undefined
  const items: Buffer[] = []
  for (const name of FIELDS) {
    const item = itemOf(name, header[name])
    if (!item) return undefined
    items.push(item)
  }
  for (const name of LATER_FIELDS) {
    const item = itemOf(name, header[name])
    if (item) items.push(item)
  }
  return `0x${Buffer.from(keccak_256(list(items))).toString('hex')}`
}

function itemOf(name: string, value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !HEX.test(value)) return undefined
  const digits = NUMBERS.has(name) ? value.slice(2).replace(/^0+/, '') : value.slice(2)
  return encoded(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

/** RLP of bytes. */
export function encoded(bytes: Buffer): Buffer {
  const [first = 0] = bytes
  return bytes.length === 1 && first < 0x80 ? bytes : Buffer.concat([lengthOf(bytes.length, 0x80), bytes])
}

/** RLP of a list of what is encoded already. */
export function list(items: readonly Buffer[]): Buffer {
  const length = items.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([lengthOf(length, 0xc0), ...items])
}

function lengthOf(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.of(offset + length)
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return Buffer.concat([Buffer.of(offset + 55 + bytes.length), bytes])
}
