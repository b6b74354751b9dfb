/** A transaction as it looked before it was in a block: who waits for pending ones may be shown one that has just been mined. */
export function asPending(json: string): string {
  const transaction: Record<string, unknown> = JSON.parse(json)
  if ((transaction.blockHash ?? null) === null) return json
  const { maxFeePerGas, blockTimestamp } = transaction
  return JSON.stringify({
    ...transaction,
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    // Which price is paid is known with the base fee of its block.
    ...(maxFeePerGas !== undefined && { gasPrice: maxFeePerGas }),
    ...(blockTimestamp !== undefined && { blockTimestamp: null }),
  })
}
