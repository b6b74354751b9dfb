import type { Transaction } from '@trestle/bitcoin/transaction'
import { virtualSize } from '@trestle/bitcoin/virtual-size'

/** What the fees of transactions are computed from: virtual sizes, numbers of inputs, sums of outputs. */
export function feeInputsOf(transactions: readonly Transaction[]): [vsizes: number[], inputs: number[], valuesOut: bigint[]] {
  return [
    transactions.map(virtualSize),
    transactions.map(({ inputs }) => inputs.length),
    transactions.map(({ outputs }) => outputs.reduce((sum, { value }) => sum + value, 0n)),
  ]
}

/**
 * Sets the fees of the transactions $1 and their children, once all outputs that they spend are known; $2 are the lower bounds of the bands.
 * More than a bigint holds can be spent only by a transaction that no block may contain: its fee stays unknown.
 */
export const UPDATE_FEES = `
  UPDATE mempool_tx AS tx SET fee = spent.value - tx.value_out,
    rate = ($2::int[])[width_bucket((spent.value - tx.value_out) / tx.vsize, ($2::int[])::numeric[])]
  FROM (
    SELECT txid, sum(value) AS value, count(value) AS inputs FROM mempool_spend
    WHERE txid IN (SELECT unnest($1::bytea[]) UNION SELECT txid FROM mempool_spend WHERE prev_txid = ANY($1::bytea[]))
    GROUP BY txid
  ) AS spent
  WHERE tx.txid = spent.txid AND tx.inputs = spent.inputs AND tx.fee IS NULL AND spent.value < 2 ^ 63::numeric`
