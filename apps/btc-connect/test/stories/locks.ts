import { createECDH, hash } from 'node:crypto'
import type { SeededRandom } from './random.js'

/** A way to lock an output, and what a node has to be shown to spend it. */
export interface OutputLock {
  readonly kind: LockKind
  readonly script: Buffer
  /** Private keys in the wallet import format; none where nobody has to sign. */
  readonly keys: readonly string[]
  readonly redeemScript?: Buffer
  readonly witnessScript?: Buffer
  /** What spends it, where nobody has to sign. */
  readonly opening?: { readonly scriptSig: Buffer; readonly witness: readonly Buffer[] }
}

const OP_TRUE = 0x51
const OP_DROP = 0x75
const OP_RETURN = 0x6a
const OP_CHECKSIG = 0xac
const OP_CHECKMULTISIG = 0xae

interface Key {
  readonly wif: string
  readonly publicKey: Buffer
}

type Make = (ring: Keyring) => Omit<OutputLock, 'kind'>

// Everything a transaction can pay to: what a wallet makes, what it does not, and what nobody can ever spend.
const KINDS = {
  pubkeyhash: [6, (ring) => signed(ring.key(), ({ publicKey }) => payToKeyHash(publicKey))],
  pubkeyhashUncompressed: [1, (ring) => signed(ring.uncompressed(), ({ publicKey }) => payToKeyHash(publicKey))],
  pubkey: [3, (ring) => signed(ring.key(), ({ publicKey }) => payToKey(publicKey))],
  pubkeyUncompressed: [1, (ring) => signed(ring.uncompressed(), ({ publicKey }) => payToKey(publicKey))],
  multisigOneOfTwo: [1, (ring) => multisig(1, [ring.key(), ring.key()])],
  multisigTwoOfThree: [1, (ring) => multisig(2, [ring.key(), ring.key(), ring.key()])],
  scripthashMultisig: [2, (ring) => inScriptHash(multisig(2, [ring.key(), ring.key()]))],
  scripthashWitnessKey: [3, (ring) => inScriptHash(signed(ring.key(), ({ publicKey }) => payToWitness(0, hash160(publicKey))))],
  scripthashWitnessScript: [2, (ring) => inScriptHash(inWitnessScript(multisig(1, [ring.key(), ring.key()])))],
  witnessKey: [6, (ring) => signed(ring.key(), ({ publicKey }) => payToWitness(0, hash160(publicKey)))],
  witnessScript: [2, (ring) => inWitnessScript(multisig(2, [ring.key(), ring.key()]))],
  // Nobody signs for these, which makes them cheap to spend: the chains of unconfirmed transactions go over them.
  scripthashOpen: [6, (ring) => openInScriptHash(open(ring))],
  witnessScriptOpen: [6, (ring) => openInWitnessScript(open(ring))],
  bareOpen: [2, (ring) => ({ script: open(ring), keys: [], opening: { scriptSig: Buffer.alloc(0), witness: [] } })],
} satisfies Record<string, [number, Make]>

// What stays where it is.
const FOREVER = {
  taproot: [3, (ring) => forever(payToWitness(1, ring.random.bytes(32)))],
  // BIP 433
  anchor: [1, () => forever(payToWitness(1, Buffer.from('4e73', 'hex')))],
  witnessUnknown: [1, (ring) => forever(payToWitness(ring.random.between(2, 16), ring.random.bytes(ring.random.between(2, 40))))],
  // A witness program of version 0 has 20 or 32 bytes.
  witnessWrong: [1, (ring) => forever(payToWitness(0, ring.random.bytes(25)))],
  nothing: [1, () => forever(Buffer.alloc(0))],
  broken: [1, (ring) => forever(Buffer.concat([Buffer.of(0x4c, 0xff), ring.random.bytes(3)]))],
  keyless: [1, (ring) => forever(Buffer.concat([Buffer.of(0x21, 0x05), ring.random.bytes(32), Buffer.of(OP_CHECKSIG)]))],
  multisigWrong: [
    1,
    (ring) => forever(Buffer.concat([Buffer.of(0x53), ...[1, 2].map(() => push(ring.random.bytes(33))), Buffer.of(0x52, 0xae)])),
  ],
  data: [4, (ring) => forever(Buffer.concat([Buffer.of(OP_RETURN), push(ring.random.bytes(ring.random.between(0, 75)))]))],
  dataAlone: [1, () => forever(Buffer.of(OP_RETURN))],
  dataBroken: [1, (ring) => forever(Buffer.concat([Buffer.of(OP_RETURN, 0x4d, 0xff, 0xff), ring.random.bytes(4)]))],
  tooLong: [0.1, (ring) => forever(Buffer.concat([Buffer.alloc(10_001, 0x61), ring.random.bytes(2)]))],
  longest: [0.1, (ring) => forever(Buffer.concat([Buffer.alloc(9_998, 0x61), ring.random.bytes(2)]))],
} satisfies Record<string, [number, Make]>

type LockKind = keyof typeof KINDS | keyof typeof FOREVER
const ALL: Record<string, [number, Make]> = { ...KINDS, ...FOREVER }

/** Whether its outputs can be spent by who has the lock. */
export function isSpendable({ kind }: OutputLock): boolean {
  return kind in KINDS
}

/** Makes locks, of new keys and of earlier ones, so that addresses have a history and one key has outputs of several kinds. */
export class Keyring {
  private readonly keys: Key[] = []
  private readonly made: OutputLock[] = []
  /** Each comes once, before chance decides. */
  private readonly unmade = Object.keys(ALL) as LockKind[]

  constructor(readonly random: SeededRandom) {}

  lock(): OutputLock {
    const kind = this.unmade.shift()
    if (kind) return this.of(kind)
    if (this.made.length > 20 && this.random.chance(0.5)) return this.earlier()
    return this.of(weighted(ALL, this.random))
  }

  /** A lock that can be opened again. */
  spendable(): OutputLock {
    if (this.made.length > 20 && this.random.chance(0.4)) {
      const lock = this.earlier()
      if (isSpendable(lock)) return lock
    }
    return this.of(weighted(KINDS, this.random))
  }

  of(kind: LockKind): OutputLock {
    const [, make] = ALL[kind] as [number, Make]
    const lock = { kind, ...make(this) }
    this.made.push(lock)
    return lock
  }

  key(): Key {
    if (this.keys.length > 5 && this.random.chance(0.4)) return this.random.pick(this.keys)
    const key = lockKey(this.random.bytes(32), true)
    this.keys.push(key)
    return key
  }

  uncompressed(): Key {
    return lockKey(this.random.bytes(32), false)
  }

  // The first ones more often: some become addresses with a long history.
  private earlier(): OutputLock {
    return this.random.chance(0.3) ? this.random.pick(this.made.slice(0, 8)) : this.random.pick(this.made)
  }
}

/** Data in an output that nobody can spend. */
export function memoScript(data: Buffer): Pick<OutputLock, 'script'> {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return { script: Buffer.concat([Buffer.of(OP_RETURN, 0x4e), length, data]) }
}

/** `version` is that of the network's private keys in the wallet import format. */
export function lockKey(secret: Buffer, isCompressed: boolean, version = 0xef): Key {
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(secret)
  const publicKey = pair.getPublicKey(null, isCompressed ? 'compressed' : 'uncompressed')
  return { publicKey, wif: base58Check(Buffer.from([version, ...secret, ...(isCompressed ? [1] : [])])) }
}

function weighted(kinds: Record<string, [number, Make]>, random: SeededRandom): LockKind {
  const entries = Object.entries(kinds)
  let rest = random.unit() * entries.reduce((sum, [, [weight]]) => sum + weight, 0)
  const chosen = entries.find(([, [weight]]) => {
    rest -= weight
    return rest < 0
  })
  return (chosen ?? entries[0])?.[0] as LockKind
}

type Made = Omit<OutputLock, 'kind'>

function signed(key: Key, scriptOf: (key: Key) => Buffer): Made {
  return { script: scriptOf(key), keys: [key.wif] }
}

function forever(script: Buffer): Made {
  return { script, keys: [] }
}

function multisig(needed: number, keys: readonly Key[]): Made {
  const script = Buffer.concat([
    Buffer.of(0x50 + needed),
    ...keys.map(({ publicKey }) => push(publicKey)),
    Buffer.of(0x50 + keys.length, OP_CHECKMULTISIG),
  ])
  return { script, keys: keys.map(({ wif }) => wif) }
}

function inScriptHash({ script, ...rest }: Made): Made {
  return { ...rest, redeemScript: script, script: payToScriptHash(script) }
}

function inWitnessScript({ script, ...rest }: Made): Made {
  return { ...rest, witnessScript: script, script: payToWitness(0, sha256(script)) }
}

function openInScriptHash(redeemScript: Buffer): Made {
  return { script: payToScriptHash(redeemScript), keys: [], opening: { scriptSig: push(redeemScript), witness: [] } }
}

function openInWitnessScript(witnessScript: Buffer): Made {
  const opening = { scriptSig: Buffer.alloc(0), witness: [witnessScript] }
  return { script: payToWitness(0, sha256(witnessScript)), keys: [], opening }
}

/** A script that anybody may spend, and that is not the next one's. */
function open({ random }: Keyring): Buffer {
  return Buffer.concat([push(random.bytes(8)), Buffer.of(OP_DROP, OP_TRUE)])
}

function payToKey(publicKey: Buffer): Buffer {
  return Buffer.concat([push(publicKey), Buffer.of(OP_CHECKSIG)])
}

export function payToKeyHash(publicKey: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x76, 0xa9), push(hash160(publicKey)), Buffer.of(0x88, OP_CHECKSIG)])
}

function payToScriptHash(script: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0xa9), push(hash160(script)), Buffer.of(0x87)])
}

function payToWitness(version: number, program: Buffer): Buffer {
  return Buffer.concat([Buffer.of(version === 0 ? 0 : 0x50 + version), push(program)])
}

/** For up to 255 bytes. */
function push(data: Buffer): Buffer {
  return data.length < 0x4c ? Buffer.concat([Buffer.of(data.length), data]) : Buffer.concat([Buffer.of(0x4c, data.length), data])
}

function sha256(data: Buffer): Buffer {
  return hash('sha256', data, 'buffer')
}

function hash160(data: Buffer): Buffer {
  return hash('ripemd160', sha256(data), 'buffer')
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** For what does not begin with a zero byte. */
function base58Check(payload: Buffer): string {
  let number = BigInt(`0x${Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = `${BASE58[Number(number % 58n)]}${text}`
  return text
}
