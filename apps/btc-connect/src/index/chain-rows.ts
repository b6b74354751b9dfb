import { BinaryFields } from '@trestle/database/binary-fields'
import type { BlockRow, OutputRow, TransactionRow } from './block-rows.js'

/** A table and its columns for COPY, and the rows. */
export type TableRows = readonly [target: string, rows: BinaryFields]

/** Rows that are copied into their tables unchanged, at the tip and in bulk. */
export class ChainRows {
  private readonly blocks = new BinaryFields()
  private readonly txs = new BinaryFields()
  private readonly raws = new BinaryFields()
  private readonly ownScripts = new BinaryFields()

  constructor(private readonly storeRaw: boolean) {}

  /** The columns are listed in the order in which they are written below. */
  get tables(): readonly TableRows[] {
    return [
      ['block (height, hash, header, time, size, tx_count, first_tx_id, chainwork, coinbase, payout_script)', this.blocks],
      ['tx (tx_id, txid, height)', this.txs],
      ['tx_raw (tx_id, raw)', this.raws],
      ['own_script (tx_id, vout, script)', this.ownScripts],
    ]
  }

  addBlock({ height, block, firstTxId, chainwork, coinbase, payoutScript }: BlockRow): void {
    const { blocks } = this
    blocks.row(10)
    blocks.int4(height)
    blocks.binary(block.header.hash)
    blocks.binary(block.header.raw)
    blocks.int4(block.header.time)
    blocks.int4(block.raw.length)
    blocks.int4(block.transactions.length)
    blocks.int8(firstTxId)
    blocks.binary(chainwork)
    blocks.binary(coinbase)
    blocks.binary(payoutScript)
  }

  addTransaction({ txId, height, transaction }: TransactionRow): void {
    this.txs.row(3)
    this.txs.int8(txId)
    this.txs.binary(transaction.txid)
    this.txs.int4(height)
    if (!this.storeRaw) return
    this.raws.row(2)
    this.raws.int8(txId)
    this.raws.binary(transaction.raw)
  }

  addOutput({ txId, vout, output, ownerScript }: OutputRow): void {
    if (output.script === ownerScript) return
    this.ownScripts.row(3)
    this.ownScripts.int8(txId)
    this.ownScripts.int4(vout)
    this.ownScripts.binary(output.script)
  }
}
