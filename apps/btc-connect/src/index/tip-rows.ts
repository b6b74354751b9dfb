import { BinaryFields } from '@trestle/database/binary-fields'
import type { BlockRow, OutputRow, RowSink, SpendRow, TransactionRow } from './block-rows.js'
import { ChainRows, type TableRows } from './chain-rows.js'

/** The rows of the blocks that one transaction connects at the tip. */
export class TipRows implements RowSink {
  /** Columns of the inputs: the output that is spent, and the input that spends it. */
  readonly spends = {
    txids: new BinaryFields(),
    vouts: new BinaryFields(),
    txIds: new BinaryFields(),
    vins: new BinaryFields(),
    heights: new BinaryFields(),
  }
  /** Columns of the scripts that receive coins, each once. */
  readonly scripts = { keys: new BinaryFields(), scripts: new BinaryFields() }
  readonly blocks: BlockRow[] = []
  private readonly chain: ChainRows
  private readonly outputs = new BinaryFields()
  private readonly added = new Set<string>()

  constructor(storeRaw: boolean) {
    this.chain = new ChainRows(storeRaw)
  }

  get tables(): readonly TableRows[] {
    return [...this.chain.tables, ['txo (tx_id, value, vout, script_key)', this.outputs]]
  }

  get transactions(): number {
    return this.blocks.reduce((sum, { block }) => sum + block.transactions.length, 0)
  }

  addBlock(row: BlockRow): void {
    this.blocks.push(row)
    this.chain.addBlock(row)
  }

  addTransaction(row: TransactionRow): void {
    this.chain.addTransaction(row)
  }

  addOutput(row: OutputRow): void {
    this.chain.addOutput(row)
    this.outputs.row(4)
    this.outputs.int8(row.txId)
    this.outputs.bigint(row.output.value)
    this.outputs.int4(row.vout)
    this.outputs.binary(row.scriptKey)
    this.addScript(row)
  }

  addSpend({ txId, vin, height, txid, vout }: SpendRow): void {
    this.spends.txids.binary(txid)
    this.spends.vouts.int4(vout)
    this.spends.txIds.int8(txId)
    this.spends.vins.int4(vin)
    this.spends.heights.int4(height)
  }

  private addScript({ scriptKey, ownerScript }: OutputRow): void {
    const name = scriptKey.toString('latin1')
    if (this.added.has(name)) return
    this.added.add(name)
    this.scripts.keys.binary(scriptKey)
    this.scripts.scripts.binary(ownerScript)
  }
}
