import type { MempoolSize } from '@trestle/contracts/btc-connect/mempool'
import type { Written } from '@trestle/contracts/endpoint'
import { inSatoshis } from '../exact-number.js'

/** Where the bands begin that the mempool is told in, in satoshis a virtual byte: closer together where most pay. */
export const FEE_BANDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500]

/** What waits in one band. */
export interface FeeBand {
  /** Where it begins; none of `FEE_BANDS` where nobody knows what is paid. */
  readonly rate: number
  readonly transactions: number
  readonly vsize: number
  readonly fees: bigint
}

const NOTHING = { transactions: 0, vsize: 0, fees: 0n }

export function mempoolSizeOf(waiting: readonly FeeBand[]): Written<MempoolSize> {
  const bands = FEE_BANDS.map((from, place) => ({
    from,
    to: FEE_BANDS[place + 1] ?? null,
    ...amountsOf(waiting.find(({ rate }) => rate === from) ?? NOTHING),
  }))
  const total = waiting.reduce(
    (sum, { transactions, vsize, fees }) => ({
      transactions: sum.transactions + transactions,
      vsize: sum.vsize + vsize,
      fees: sum.fees + fees,
    }),
    NOTHING,
  )
  return { ...amountsOf(total), bands }
}

function amountsOf({ transactions, vsize, fees }: Omit<FeeBand, 'rate'>) {
  return { txlength: transactions, vsize, feesSat: inSatoshis(fees) }
}
