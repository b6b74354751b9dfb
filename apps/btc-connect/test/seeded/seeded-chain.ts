import { createHash } from 'node:crypto'
import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { isUnspendable, ownerScriptOf, payToPublicKeyHash } from '@trestle/bitcoin/script'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'

const SEEDED_RULES = chainRules('btc', 'regtest')

interface SeededInput {
  readonly txid: Buffer
  readonly vout: number
  readonly script?: Buffer
}

export interface SeededOutput {
  readonly script: Buffer
  readonly value: bigint
}

export interface SeededBlock {
  readonly hash: Buffer
  readonly header: Buffer
  readonly height: number
  readonly time: number
  readonly transactions: readonly Transaction[]
}

export interface Unconfirmed {
  readonly transaction: Transaction
  /** Counted on and on, whatever the chain: the index never goes back. */
  readonly seq: number
  readonly firstSeen: number
}

interface Mined {
  readonly time?: number
  /** What the coinbase's input says. */
  readonly tag?: string
  readonly payTo?: SeededOutput
  readonly transactions?: readonly Transaction[]
}

/** A script to the hash of a key that nobody has. */
export function scriptOf(name: string): Buffer {
  return payToPublicKeyHash(createHash('ripemd160').update(name).digest())
}

export function addressTo(script: Buffer): string {
  return addressOf(script, SEEDED_RULES) ?? ''
}

let nextSeq = 1

const START = Date.UTC(2026, 0, 31, 12) / 1000

/** A chain that no node ever checked, for reading: blocks, blocks that were left, and a mempool. */
export class SeededChain {
  readonly secret = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  readonly blocks: SeededBlock[] = []
  readonly stale: SeededBlock[] = []
  /** Oldest first. */
  readonly mempool: Unconfirmed[] = []
  private salt = 0

  transaction(inputs: readonly SeededInput[], outputs: readonly SeededOutput[], { version = 2, lockTime = 0 } = {}): Transaction {
    return parseTransaction(serialised({ inputs, outputs, version, lockTime }), SEEDED_RULES.coin)
  }

  coinbase({ tag = '', payTo = { script: scriptOf('miner'), value: 5_000_000_000n } }: Mined): Transaction {
    const script = Buffer.concat([Buffer.of(4), u32(this.salt++), Buffer.from(tag)])
    return this.transaction([{ txid: Buffer.alloc(32), vout: 0xffff_ffff, script }], [payTo])
  }

  mine(mined: Mined = {}): SeededBlock {
    const block = this.blockAfter(this.blocks.at(-1), mined)
    this.blocks.push(block)
    return block
  }

  /** The newest block was left: its transactions but the coinbase go back to the mempool. */
  leave(): SeededBlock {
    const block = this.blocks.pop() as SeededBlock
    this.stale.push(block)
    return block
  }

  announce(transaction: Transaction, firstSeen = START + 100_000 + this.mempool.length): Transaction {
    this.mempool.push({ transaction, firstSeen, seq: nextSeq++ })
    return transaction
  }

  /** What a script took part in, newest first: the answer every list is held against. */
  historyOf(...scripts: readonly Buffer[]): string[] {
    const owners = new Set(scripts.map((script) => script.toString('hex')))
    const confirmed = this.blocks.flatMap(({ transactions }) => transactions)
    const all = [...confirmed, ...this.mempool.map(({ transaction }) => transaction)]
    const outputs = new Map(all.map(({ txid, outputs }) => [txid.toString('hex'), outputs]))
    const isTheirs = (script: Buffer | undefined) =>
      script !== undefined && !isUnspendable(script) && owners.has(ownerScriptOf(script).toString('hex'))
    return all
      .filter(
        ({ inputs, outputs: own }) =>
          own.some(({ script }) => isTheirs(script)) ||
          inputs.some(({ txid, vout }) => isTheirs(outputs.get(txid.toString('hex'))?.[vout]?.script)),
      )
      .map(({ txid }) => txid.toString('hex'))
      .reverse()
  }

  private blockAfter(previous: SeededBlock | undefined, mined: Mined): SeededBlock {
    const time = mined.time ?? (previous?.time ?? START - 600) + 600
    const transactions = [this.coinbase(mined), ...(mined.transactions ?? [])]
    const root = sha256d(Buffer.concat(transactions.map(({ txid }) => txid)))
    const header = Buffer.concat([
      u32(0x2000_0000),
      Buffer.from(previous?.hash ?? Buffer.alloc(32)).reverse(),
      root,
      u32(time),
      Buffer.from('ffff7f20', 'hex'),
      u32(this.salt),
    ])
    return { hash: sha256d(header).reverse(), header, height: (previous?.height ?? -1) + 1, time, transactions }
  }
}

interface Parts {
  readonly inputs: readonly SeededInput[]
  readonly outputs: readonly SeededOutput[]
  readonly version: number
  readonly lockTime: number
}

function serialised({ inputs, outputs, version, lockTime }: Parts): Buffer {
  return Buffer.concat([
    u32(version),
    size(inputs.length),
    ...inputs.flatMap(({ txid, vout, script = Buffer.alloc(0) }) => [
      Buffer.from(txid).reverse(),
      u32(vout),
      size(script.length),
      script,
      u32(0xffff_ffff),
    ]),
    size(outputs.length),
    ...outputs.flatMap(({ value, script }) => [u64(value), size(script.length), script]),
    u32(lockTime),
  ])
}

function sha256d(bytes: Buffer): Buffer {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest()
}

function size(count: number): Buffer {
  return count < 0xfd ? Buffer.of(count) : Buffer.of(0xfd, count & 0xff, count >> 8)
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
