import { hash } from 'node:crypto'
import { weighted } from './random.ts'

/** A kind of output script, and the lengths of what spends it. */
export interface ScriptKind {
  readonly name: string
  readonly weight: number
  lock(key: Buffer): Buffer
  /** The lengths of the pushes of the input script. */
  readonly pushes: readonly number[]
  /** The lengths of the witness items. */
  readonly witness: readonly number[]
}

const SIGNATURE = 71
const PUBLIC_KEY = 33
const TWO_OF_THREE = 105

// Weights as in blocks of recent years, with more of the old kinds.
const SCRIPT_KINDS: readonly ScriptKind[] = [
  { name: 'P2WPKH', weight: 40, lock: (key) => script('0014', key.subarray(0, 20)), pushes: [], witness: [SIGNATURE, PUBLIC_KEY] },
  { name: 'P2PKH', weight: 22, lock: (key) => script('76a914', key.subarray(0, 20), '88ac'), pushes: [SIGNATURE, PUBLIC_KEY], witness: [] },
  { name: 'P2TR', weight: 15, lock: (key) => script('5120', key), pushes: [], witness: [64] },
  {
    name: 'P2SH-P2WPKH',
    weight: 9,
    lock: (key) => script('a914', key.subarray(0, 20), '87'),
    pushes: [22],
    witness: [SIGNATURE, PUBLIC_KEY],
  },
  {
    name: 'P2SH',
    weight: 5,
    lock: (key) => script('a914', key.subarray(0, 20), '87'),
    pushes: [0, SIGNATURE, SIGNATURE, TWO_OF_THREE],
    witness: [],
  },
  { name: 'P2WSH', weight: 7, lock: (key) => script('0020', key), pushes: [], witness: [0, SIGNATURE, SIGNATURE, TWO_OF_THREE] },
  { name: 'P2PK', weight: 1.5, lock: (key) => script('2102', key, 'ac'), pushes: [SIGNATURE], witness: [] },
  {
    name: '1-of-2',
    weight: 0.5,
    lock: (key) => script('512102', key, Buffer.concat([Buffer.of(0x21, 0x03), key.toReversed()]), '52ae'),
    pushes: [0, SIGNATURE],
    witness: [],
  },
]

export interface Lock {
  readonly kind: ScriptKind
  readonly script: Buffer
}

/** The output script of somebody, who is a number; always the same one, so that nobody need be remembered. */
export function lockOf(seed: number, owner: number): Lock {
  const key = hash('sha256', `${seed}:${owner}`, 'buffer')
  const kind = weighted(SCRIPT_KINDS, key.readUInt32LE(28) / 2 ** 32)
  return { kind, script: kind.lock(key) }
}

function script(...parts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
}
