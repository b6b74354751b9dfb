import { BinaryFields } from '@trestle/database/binary-fields'
import type { BlockRow, OutputRow, RowSink, SpendRow, TransactionRow } from './block-rows.js'
import { ChainRows, type TableRows } from './chain-rows.js'

/**
 * The bulk load is partitioned: outputs and the inputs that spend them by the first four bits of the transaction id, the joined
 * rows by those of the owner's key. Each part is joined or sorted on its own.
 */
export const PARTS = 16

export function partName(part: number): string {
  return part.toString(16)
}

/** The rows of a range of blocks for the staging tables. */
export class StagedRows implements RowSink {
  private readonly chain: ChainRows
  private readonly outputs = parts()
  private readonly spends = parts()
  private range: { first: BlockRow; last: BlockRow } | undefined

  constructor(storeRaw: boolean) {
    this.chain = new ChainRows(storeRaw)
  }

  get tables(): readonly TableRows[] {
    return [
      ...this.chain.tables,
      ...this.outputs.map((rows, part) => [`load_output_${partName(part)} (tx_id, value, vout, script_key, txid, script)`, rows] as const),
      ...this.spends.map((rows, part) => [`load_spend_${partName(part)} (tx_id, vin, vout, txid)`, rows] as const),
    ]
  }

  get bytes(): number {
    return this.tables.reduce((sum, [, rows]) => sum + rows.length, 0)
  }

  /** Undefined while it holds nothing. */
  get span() {
    const { first, last } = this.range ?? {}
    if (!first || !last) return undefined
    const lastTxId = last.firstTxId + last.block.transactions.length - 1
    return { firstHeight: first.height, lastHeight: last.height, firstTxId: first.firstTxId, lastTxId }
  }

  clear(): void {
    for (const [, rows] of this.tables) rows.clear()
    this.range = undefined
  }

  addBlock(row: BlockRow): void {
    this.range = { first: this.range?.first ?? row, last: row }
    this.chain.addBlock(row)
  }

  addTransaction(row: TransactionRow): void {
    this.chain.addTransaction(row)
  }

  addOutput(row: OutputRow): void {
    this.chain.addOutput(row)
    const outputs = rowsFor(row.txid, this.outputs)
    outputs.row(6)
    outputs.int8(row.txId)
    outputs.bigint(row.output.value)
    outputs.int4(row.vout)
    outputs.binary(row.scriptKey)
    outputs.binary(row.txid)
    // The same script comes many times: to find that out here costs more than to drop it in the merge.
    outputs.binary(row.ownerScript)
  }

  addSpend({ txId, vin, txid, vout }: SpendRow): void {
    const spends = rowsFor(txid, this.spends)
    spends.row(4)
    spends.int8(txId)
    spends.int4(vin)
    spends.int4(vout)
    spends.binary(txid)
  }
}

/** The part of a transaction id. */
function rowsFor(txid: Buffer, parts: readonly BinaryFields[]): BinaryFields {
  const rows = parts[(txid[0] ?? 0) >>> 4]
  if (!rows) throw new Error('A part of the bulk load is missing.')
  return rows
}

function parts(): BinaryFields[] {
  return Array.from({ length: PARTS }, () => new BinaryFields())
}
