import { keccak_256 } from '@noble/hashes/sha3.js'
import { rlpBytes, rlpList } from './rlp.js'

// The fields of a header in their order, by the names that JSON-RPC has for them: the Yellow Paper's, then those of EIP-1559, 4895, 4844,
// 4788 and 7685. A number has no leading zeros in RLP; all else is bytes.
const FIELDS = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
const LATER_FIELDS = ['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash']
// What JSON-RPC shows besides; Arbitrum's and BNB Smart Chain's are in the other fields, too.
const NOT_HASHED = ['hash', 'totalDifficulty', 'size', 'transactions', 'uncles', 'withdrawals']
const NOT_HASHED_ELSEWHERE = ['l1BlockNumber', 'sendCount', 'sendRoot', 'milliTimestamp']
const KNOWN = new Set([...FIELDS, ...LATER_FIELDS, ...NOT_HASHED, ...NOT_HASHED_ELSEWHERE])
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
  return `0x${Buffer.from(keccak_256(rlpList(items))).toString('hex')}`
}

function itemOf(name: string, value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !HEX.test(value)) return undefined
  const digits = NUMBERS.has(name) ? value.slice(2).replace(/^0+/, '') : value.slice(2)
  return rlpBytes(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}
