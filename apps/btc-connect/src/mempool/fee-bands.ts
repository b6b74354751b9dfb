import type { MempoolSize } from '@trestle/contracts/btc-connect/mempool'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { inSatoshis } from '../exact-number.js'

/** The lower bounds of the fee bands, in satoshis per virtual byte: narrower where most transactions are. */
export const FEE_BANDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500]

/** The mempool transactions of one band. */
export interface FeeBand {
  /** The lower bound of the band; not one of `FEE_BANDS` for transactions with an unknown fee. */
  readonly rate: number
  readonly transactions: number
  readonly vsize: number
  readonly fees: bigint
}

const NONE = { transactions: 0, vsize: 0, fees: 0n }

export function mempoolSizeOf(stored: readonly FeeBand[]): WritableReply<MempoolSize> {
  const bands = FEE_BANDS.map((from, i) => ({
    from,
    to: FEE_BANDS[i + 1] ?? null,
    ...amountsOf(stored.find(({ rate }) => rate === from) ?? NONE),
  }))
  const total = stored.reduce(
    (sum, { transactions, vsize, fees }) => ({
      transactions: sum.transactions + transactions,
      vsize: sum.vsize + vsize,
      fees: sum.fees + fees,
    }),
    NONE,
  )
  return { ...amountsOf(total), bands }
}

function amountsOf({ transactions, vsize, fees }: Omit<FeeBand, 'rate'>) {
  return { txlength: transactions, vsize, feesSat: inSatoshis(fees) }
}
