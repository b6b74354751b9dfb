import { MAX_HISTORY_DEPTH, MAX_TRANSACTION_IDS, MAX_TRANSACTION_PAGE } from '@trestle/contracts/btc-connect/addresses'
import { Problem } from '@trestle/problem/problem'
import type { HistoryRange } from '../history/history.js'

interface Asked {
  readonly from?: number
  readonly to?: number
}

/** The range of ids of one address: `from` and `to` have effect only together. */
export function idRange({ from, to }: Asked): HistoryRange {
  return from === undefined || to === undefined ? { from: 0, to: MAX_TRANSACTION_IDS } : checked({ from, to }, MAX_TRANSACTION_IDS)
}

const DEFAULT_TRANSACTIONS = 10

/** The range of transactions of some addresses. A `to` of 0 means none, as in Insight. */
export function transactionRange({ from = 0, to }: Asked, addresses: number): HistoryRange {
  const range = checked({ from, to: to || from + DEFAULT_TRANSACTIONS }, MAX_TRANSACTION_PAGE)
  // One history can be read at any depth; several have to be merged down to it.
  if (addresses > 1 && range.to > MAX_HISTORY_DEPTH) {
    throw invalidRange(
      `"to" (${range.to}) of several addresses should be less than or equal to ${MAX_HISTORY_DEPTH}: ask for them one by one`,
    )
  }
  return range
}

function checked({ from, to }: HistoryRange, max: number): HistoryRange {
  if (from >= to) throw invalidRange(`Invalid state: "from" (${from}) is expected to be less than "to" (${to})`)
  if (to - from > max) throw invalidRange(`"from" (${from}) and "to" (${to}) range should be less than or equal to ${max}`)
  return { from, to }
}

function invalidRange(detail: string): Problem {
  return new Problem('invalid', 'InvalidRange', detail)
}
