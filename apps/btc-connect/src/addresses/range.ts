import { DEEPEST, MOST_IDS, MOST_TRANSACTIONS } from '@trestle/contracts/btc-connect/addresses'
import { Problem } from '@trestle/problem/problem'
import type { HistoryRange } from '../history/history.js'

interface Asked {
  readonly from?: number
  readonly to?: number
}

/** Of the ids of one address: `from` and `to` count only together. */
export function idRange({ from, to }: Asked): HistoryRange {
  return from === undefined || to === undefined ? { from: 0, to: MOST_IDS } : checked({ from, to }, MOST_IDS)
}

const DEFAULT_TRANSACTIONS = 10

/** Of the transactions of some addresses. A `to` of 0 is none, as in Insight. */
export function transactionRange({ from = 0, to }: Asked, addresses: number): HistoryRange {
  const range = checked({ from, to: to || from + DEFAULT_TRANSACTIONS }, MOST_TRANSACTIONS)
  // One history is read at any depth alike; several have to be merged down to there.
  if (addresses > 1 && range.to > DEEPEST) {
    throw invalidRange(`"to" (${range.to}) of several addresses should be less than or equal to ${DEEPEST}: ask for them one by one`)
  }
  return range
}

function checked({ from, to }: HistoryRange, most: number): HistoryRange {
  if (from >= to) throw invalidRange(`Invalid state: "from" (${from}) is expected to be less than "to" (${to})`)
  if (to - from > most) throw invalidRange(`"from" (${from}) and "to" (${to}) range should be less than or equal to ${most}`)
  return { from, to }
}

function invalidRange(detail: string): Problem {
  return new Problem('invalid', 'InvalidRange', detail)
}
