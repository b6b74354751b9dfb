import { createHash } from 'node:crypto'
import { sha256d } from '@trestle/bitcoin/hash'
import { BlockWriter, merkleRoot } from './block-writer.ts'
import { Coins, type GeneratedCoin } from './coins.ts'
import { Random, weighted } from './random.ts'
import { type Lock, lockOf } from './script-kinds.ts'

export interface GeneratedBlock {
  readonly height: number
  /** In display order. */
  readonly hash: string
  /** Valid until the next block is generated. */
  readonly raw: Buffer
  readonly transactions: number
  readonly inputs: number
  readonly outputs: number
}

// Regtest's own: an index checks its network by it.
const GENESIS = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a' +
    'dae5494dffff7f20020000000101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054' +
    '696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff' +
    '0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d57' +
    '8a4c702b6bf11d5fac00000000',
  'hex',
)
const GENESIS_TIME = 1_296_688_602
const REGTEST_BITS = 0x207fffff
const REGTEST_HALVING = 150
const MATURITY = 100
const NO_COIN = Buffer.alloc(32)
const MINERS = 5

/** Where the parts of a transaction begin. */
interface Span {
  readonly start: number
  readonly bodyAt: number
  readonly witnessAt: number
  readonly lockTimeAt: number
}

interface Shape {
  readonly weight: number
  readonly inputs: readonly [from: number, to: number]
  readonly outputs: readonly [from: number, to: number]
}

// A payment with its change, a few more of both, one without change, a consolidation, a payout to many.
const SHAPES: readonly Shape[] = [
  { weight: 58, inputs: [1, 1], outputs: [2, 2] },
  { weight: 30, inputs: [1, 3], outputs: [2, 3] },
  { weight: 8, inputs: [1, 2], outputs: [1, 1] },
  { weight: 2, inputs: [20, 60], outputs: [1, 1] },
  { weight: 2, inputs: [1, 3], outputs: [20, 80] },
]
// A pool pays its miners.
const PAYOUT = 100

/**
 * A regtest chain of blocks with the given numbers of payments, besides the coinbase and a pool's payout to its miners. The first 200 have
 * none, as nothing can be spent yet. Merkle roots and proof of work are valid; signatures are noise, since an index does not verify them.
 * The same seed gives the same bytes.
 */
export function* generateChain(seed: number, paymentsOfBlocks: Iterable<number>): Generator<GeneratedBlock> {
  yield { height: 0, hash: display(sha256d(GENESIS.subarray(0, 80))), raw: GENESIS, transactions: 1, inputs: 0, outputs: 1 }
  const chain = new ChainGenerator(seed)
  for (const payments of paymentsOfBlocks) yield chain.nextBlock(payments)
}

class ChainGenerator {
  private readonly random: Random
  private readonly coins = new Coins()
  private readonly immature: GeneratedCoin[] = []
  private readonly block = new BlockWriter()
  private readonly seed: number
  private height = 0
  private owners = MINERS
  private previous = sha256d(GENESIS.subarray(0, 80))
  private txids: Buffer[] = []
  private wtxids: Buffer[] = []
  private inputs = 0
  private outputs = 0

  constructor(seed: number) {
    this.seed = seed
    this.random = new Random(seed)
  }

  nextBlock(wanted: number): GeneratedBlock {
    this.height++
    const ripe = this.immature.length >= MATURITY ? this.immature.shift() : undefined
    // A consolidation spends many coins, so a few are not enough to start with.
    const transactions = (ripe ? 2 : 1) + (this.coins.size > 10_000 ? wanted : 0)
    Object.assign(this, { txids: [], wtxids: [], inputs: 0, outputs: 0 })
    this.block.at = 80
    this.block.count(transactions)
    const reward = this.coinbase()
    if (ripe) this.spend([ripe], PAYOUT)
    while (this.txids.length < transactions) this.payment()
    this.immature.push({ ...reward, txid: this.commit(reward.span), vout: 0 })
    const raw = this.block.since(0)
    this.seal(raw.subarray(0, 80))
    return { height: this.height, hash: display(this.previous), raw, transactions, inputs: this.inputs, outputs: this.outputs }
  }

  private seal(header: Buffer): void {
    header.writeUInt32LE(0x20000000, 0)
    this.previous.copy(header, 4)
    merkleRoot(this.txids).copy(header, 36)
    header.writeUInt32LE(GENESIS_TIME + this.height * 600, 68)
    header.writeUInt32LE(REGTEST_BITS, 72)
    let nonce = 0
    do {
      header.writeUInt32LE(nonce++, 76)
      this.previous = sha256d(header)
      // Regtest's target requires one clear bit.
    } while (this.previous.readUInt8(31) > 0x7e)
  }

  /** The coinbase commits to the witnesses of what follows it (BIP 141), and only then has its id. */
  private commit(span: Span): Buffer {
    const { block } = this
    const root = merkleRoot([NO_COIN, ...this.wtxids.slice(1)])
    const reserved = block.since(span.lockTimeAt - 32, span.lockTimeAt)
    block.since(span.witnessAt - 32, span.witnessAt).set(sha256d(Buffer.concat([root, reserved])))
    const txid = this.txidOf(span)
    this.txids[0] = txid
    return txid
  }

  private coinbase(): Pick<GeneratedCoin, 'sats' | 'kind'> & { span: Span } {
    const miner = lockOf(this.seed, this.random.between(0, MINERS - 1))
    const sats = Math.floor(50e8 / 2 ** Math.floor(this.height / REGTEST_HALVING))
    const { span } = this.transaction(true, () => {
      const { block } = this
      block.count(1)
      block.bytes(NO_COIN)
      block.u32(0xffffffff)
      // BIP 34: the height first.
      block.bytes(Buffer.of(12, 3, this.height, this.height >> 8, this.height >> 16))
      this.random.fill(block.room(8), 0, 8)
      block.u32(0xffffffff)
      block.count(2)
      this.output(sats, miner.script)
      // Room for the commitment.
      this.note(Buffer.from('aa21a9ed', 'hex'), 36)
      return [[32]]
    })
    return { sats, kind: miner.kind, span }
  }

  private payment(): void {
    const { inputs, outputs } = weighted(SHAPES, this.random.unit())
    const spent = Array.from({ length: this.random.between(...inputs) }, () => this.coins.take(this.random))
    this.spend(spent, this.random.between(...outputs))
  }

  private spend(spent: readonly GeneratedCoin[], outputs: number): void {
    const available = spent.reduce((sum, { sats }) => sum + sats, 0)
    const amounts = this.split(available, outputs)
    const locks = amounts.map(() => this.recipient())
    const isNoted = this.random.unit() < 0.07
    const { txid } = this.transaction(
      spent.some(({ kind }) => kind.witness.length > 0),
      () => {
        this.block.count(spent.length)
        for (const coin of spent) this.input(coin)
        this.block.count(amounts.length + (isNoted ? 1 : 0))
        for (const [vout, sats] of amounts.entries()) this.output(sats, locks[vout]?.script ?? NO_COIN)
        if (isNoted) this.note(Buffer.of(), this.random.between(4, 75))
        return spent.map(({ kind }) => kind.witness)
      },
    )
    for (const [vout, sats] of amounts.entries()) {
      const kind = locks[vout]?.kind
      if (kind) this.coins.add({ txid, vout, sats, kind })
    }
    this.inputs += spent.length
  }

  /** `body` writes inputs and outputs and returns the lengths of each input's witness items. */
  private transaction(isSegwit: boolean, body: () => readonly (readonly number[])[]): { txid: Buffer; span: Span } {
    const { block } = this
    const start = block.at
    block.u32(2)
    // BIP 144: marker and flag.
    if (isSegwit) block.u16(0x0100)
    const bodyAt = block.at
    const witnesses = body()
    const witnessAt = block.at
    if (isSegwit) for (const items of witnesses) this.witness(items)
    const lockTimeAt = block.at
    block.u32(0)
    const span = { start, bodyAt, witnessAt, lockTimeAt }
    const txid = this.txidOf(span)
    this.txids.push(txid)
    this.wtxids.push(isSegwit ? sha256d(block.since(start)) : txid)
    return { txid, span }
  }

  private txidOf({ start, bodyAt, witnessAt, lockTimeAt }: Span): Buffer {
    const { block } = this
    const digest = createHash('sha256')
      .update(block.since(start, start + 4))
      .update(block.since(bodyAt, witnessAt))
      .update(block.since(lockTimeAt, lockTimeAt + 4))
      .digest()
    return createHash('sha256').update(digest).digest()
  }

  private input({ txid, vout, kind }: GeneratedCoin): void {
    const { block } = this
    block.bytes(txid)
    block.u32(vout)
    // A push of more than 75 bytes needs an opcode (OP_PUSHDATA1) before its length.
    block.count(kind.pushes.reduce((sum, length) => sum + length + (length > 75 ? 2 : 1), 0))
    for (const length of kind.pushes) {
      if (length > 75) block.u8(0x4c)
      block.u8(length)
      this.random.fill(block.room(length), 0, length)
    }
    block.u32(0xfffffffd)
  }

  private witness(items: readonly number[]): void {
    this.block.count(items.length)
    for (const length of items) {
      this.block.count(length)
      this.random.fill(this.block.room(length), 0, length)
    }
  }

  private output(sats: number, script: Uint8Array): void {
    this.block.u64(sats)
    this.block.count(script.length)
    this.block.bytes(script)
    this.outputs++
  }

  private note(head: Buffer, length: number): void {
    const script = Buffer.alloc(length + 2)
    this.random.fill(script, 0, script.length)
    script.set([0x6a, length, ...head])
    this.output(0, script)
  }

  /** A new or a known owner: the older, the more often, so that a few have very long histories. */
  private recipient(): Lock {
    const isKnown = this.random.unit() < 0.45
    return lockOf(this.seed, isKnown ? Math.floor(this.owners * this.random.unit() ** 4) : this.owners++)
  }

  private split(available: number, parts: number): number[] {
    const fee = Math.min(1000, Math.floor(available / 16))
    let rest = available - fee
    const amounts = Array.from({ length: parts - 1 }, (_, done) => {
      const amount = Math.floor((rest / (parts - done)) * (0.5 + this.random.unit() / 2))
      rest -= amount
      return amount
    })
    return [...amounts, rest]
  }
}

function display(hash: Buffer): string {
  return Buffer.from(hash).reverse().toString('hex')
}
