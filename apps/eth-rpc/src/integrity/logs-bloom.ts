import { keccak_256 } from '@noble/hashes/sha3.js'
import type { LogCriteria } from '../methods/log-criteria.js'

const BLOOM_BYTES = 256
const BLOOM = /^0x[0-9a-f]{512}$/i

interface BloomEntry {
  readonly address: string
  readonly topics: readonly string[]
}

/** The bits that an address or a topic sets (Yellow Paper, 4.3.1), as positions from the end. */
type Bits = readonly [number, number, number]

// Callers ask for the same contracts and events again and again.
const MAX_KNOWN = 4_096
let known = new Map<string, Bits>()

function bitsOf(hex: string): Bits {
  const before = known.get(hex)
  if (before) return before
  const hash = keccak_256(Buffer.from(hex.slice(2), 'hex'))
  const bit = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
  const bits: Bits = [bit(0), bit(2), bit(4)]
  if (known.size >= MAX_KNOWN) known = new Map()
  known.set(hex, bits)
  return bits
}

/** The bloom of these logs, as a header has it. */
export function bloomOf(logs: Iterable<BloomEntry>): string {
  const bloom = Buffer.alloc(BLOOM_BYTES)
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) {
      for (const bit of bitsOf(value.toLowerCase())) {
        const at = BLOOM_BYTES - 1 - (bit >> 3)
        bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return `0x${bloom.toString('hex')}`
}

/** Undefined for what is no bloom, as on chains that have none. */
export function parseBloom(text: unknown): Buffer | undefined {
  return typeof text === 'string' && BLOOM.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined
}

/** False only where the block certainly has no log that matches. */
export function mayMatch(bloom: Buffer, { addresses, topics }: LogCriteria): boolean {
  if (addresses && !hasAny(bloom, addresses)) return false
  if (!topics.every((allowed) => allowed === undefined || hasAny(bloom, allowed))) return false
  // Whatever it is searched for, there must be a log at all.
  return addresses !== undefined || topics.some((allowed) => allowed !== undefined) || bloom.some((byte) => byte !== 0)
}

function hasAny(bloom: Buffer, values: ReadonlySet<string>): boolean {
  for (const value of values) if (has(bloom, value)) return true
  return false
}

function has(bloom: Buffer, value: string): boolean {
  return bitsOf(value).every((bit) => ((bloom[BLOOM_BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}
