import type { Block } from '@trestle/bitcoin/block'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import type { Transaction, TransactionOutput } from '@trestle/bitcoin/transaction'
import { advance, type ChainEnd, chainworkBytes } from './chain-end.js'
import { scriptKeys } from './script-keys.js'
import type { Tracking } from './tracking.js'

export interface BlockRow {
  readonly height: number
  readonly block: Block
  readonly firstTxId: number
  readonly chainwork: Buffer
  readonly coinbase: Buffer
  readonly payoutScript: Buffer
}

export interface TransactionRow {
  readonly txId: number
  readonly height: number
  readonly transaction: Transaction
}

/** An output that can be spent. */
export interface OutputRow {
  readonly txId: number
  readonly txid: Buffer
  readonly vout: number
  readonly output: TransactionOutput
  readonly ownerScript: Buffer
  readonly scriptKey: Buffer
}

/** An input and the output that it spends. */
export interface SpendRow {
  readonly txId: number
  readonly vin: number
  readonly height: number
  readonly txid: Buffer
  readonly vout: number
}

/** Receives the rows of blocks, in chain order. */
export interface RowSink {
  addBlock(row: BlockRow): void
  addTransaction(row: TransactionRow): void
  addOutput(row: OutputRow): void
  addSpend(row: SpendRow): void
}

export interface RowRules {
  readonly keyOf: (ownerScript: Buffer) => Buffer
  readonly tracking: Tracking
  readonly overwritten: ReadonlySet<string>
}

export function rowRules(secret: Buffer, tracking: Tracking, { overwrittenCoinbases }: ChainRules): RowRules {
  const overwritten = new Set(overwrittenCoinbases.map(({ height, txid }) => `${height} ${txid}`))
  return { keyOf: scriptKeys(secret), tracking, overwritten }
}

/** Passes the rows of a block, which must extend the chain, to the sink. */
export function addRows(sink: RowSink, block: Block, end: ChainEnd, rules: RowRules): ChainEnd {
  const next = advance(end, block)
  const { height } = next
  sink.addBlock({ height, block, firstTxId: end.nextTxId, chainwork: chainworkBytes(next.chainwork), ...coinbaseOf(block) })
  let txId = end.nextTxId
  for (const transaction of block.transactions) {
    sink.addTransaction({ txId, height, transaction })
    if (!isUnspendableCoinbase(transaction, height, rules)) for (const output of outputsOf(transaction, txId, rules)) sink.addOutput(output)
    if (!transaction.isCoinbase) addSpends(sink, transaction, txId, height)
    txId++
  }
  return next
}

/** The outputs of a transaction that are indexed. */
export function outputsOf({ txid, outputs }: Transaction, txId: number, { keyOf, tracking }: RowRules): OutputRow[] {
  const rows: OutputRow[] = []
  for (const [vout, output] of outputs.entries()) {
    if (isUnspendable(output.script)) continue
    const ownerScript = ownerScriptOf(output.script)
    if (tracking.isTracked(ownerScript)) rows.push({ txId, txid, vout, output, ownerScript, scriptKey: keyOf(ownerScript) })
  }
  return rows
}

function addSpends(sink: RowSink, { inputs }: Transaction, txId: number, height: number): void {
  for (const [vin, { txid, vout }] of inputs.entries()) sink.addSpend({ txId, vin, height, txid, vout })
}

/** The coinbase of the first block cannot be spent, nor one that a later coinbase with the same id has overwritten (BIP 30). */
function isUnspendableCoinbase({ isCoinbase, txid }: Transaction, height: number, { overwritten }: RowRules): boolean {
  if (!isCoinbase) return false
  return height === 0 || (overwritten.size > 0 && overwritten.has(`${height} ${txid.toString('hex')}`))
}

const EMPTY = Buffer.alloc(0)

/** What identifies the pool that mined the block. */
function coinbaseOf({ transactions }: Block): { coinbase: Buffer; payoutScript: Buffer } {
  const [coinbase] = transactions
  const [first, ...others] = coinbase?.outputs ?? []
  const largest = others.reduce((best, output) => (best && best.value >= output.value ? best : output), first)
  return { coinbase: coinbase?.inputs[0]?.script ?? EMPTY, payoutScript: largest?.script ?? EMPTY }
}
