/** How a block paid its proposer: the fees of its transactions, or the builder's payment in the last transaction. */
export type ProposerPayment = 'fees' | 'payment' | 'unverified'

export interface BlockPayments {
  readonly feeRecipient: Buffer
  readonly baseFeePerGas: bigint
  readonly lastTransaction: { readonly from: Buffer; readonly to: Buffer | undefined; readonly valueWei: bigint } | undefined
  readonly receipts: readonly { readonly gasUsed: bigint; readonly effectiveGasPrice: bigint; readonly succeeded: boolean }[]
}

export interface BlockEarnings {
  readonly state: ProposerPayment
  readonly amountWei: bigint
}

/**
 * What a block visibly paid to one of these addresses. A builder names its own address as fee recipient and pays with the last
 * transaction; other ways of payment are not guessed.
 */
export function blockEarningsOf(
  { feeRecipient, baseFeePerGas, lastTransaction, receipts }: BlockPayments,
  own: readonly Buffer[],
): BlockEarnings {
  const isOwn = (address: Buffer | undefined) => address !== undefined && own.some((each) => each.equals(address))
  if (isOwn(feeRecipient)) {
    // EIP-1559: the fee recipient gets what is above the base fee.
    const fees = receipts.map(({ gasUsed, effectiveGasPrice }) => gasUsed * (effectiveGasPrice - baseFeePerGas))
    return { state: 'fees', amountWei: fees.reduce((sum, fee) => sum + fee, 0n) }
  }
  const isPaid = lastTransaction?.from.equals(feeRecipient) && isOwn(lastTransaction.to) && receipts.at(-1)?.succeeded
  return isPaid ? { state: 'payment', amountWei: lastTransaction?.valueWei ?? 0n } : { state: 'unverified', amountWei: 0n }
}
