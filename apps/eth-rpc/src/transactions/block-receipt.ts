import { z } from 'zod'

/** A receipt as `eth_getTransactionReceipt` shows it. */
export interface BlockReceipt {
  readonly transactionHash: string
  readonly json: string
}

const Receipts = z.array(z.looseObject({ transactionHash: z.string(), blockHash: z.string() }))

/** Undefined for what are no receipts of that block. */
export function receiptsOf(json: string, blockHash: string): BlockReceipt[] | undefined {
  const shown: unknown = JSON.parse(json)
  const { data } = Receipts.safeParse(shown)
  if (!data?.every((receipt) => receipt.blockHash.toLowerCase() === blockHash)) return undefined
  // zod writes the members in another order.
  const written = (shown as readonly unknown[]).map((receipt) => JSON.stringify(receipt))
  return data.map(({ transactionHash }, index) => ({ transactionHash: transactionHash.toLowerCase(), json: written[index] ?? '' }))
}
