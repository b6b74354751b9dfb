import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'

/** A page of an address's history, newest first. */
export interface HistorySlice {
  readonly totalItems: number
  readonly items: readonly InsightTransaction[]
}

/** Every transaction once: while pages are read, new ones push those before them onto the next page. */
export function historyRows(pages: readonly HistorySlice[]): InsightTransaction[] {
  const seen = new Set<string>()
  return pages.flatMap(({ items }) => items.filter(({ txid }) => !seen.has(txid) && seen.add(txid)))
}

/** What is loaded, with the newest page as it is now: nothing of what came before has to be asked for again. */
export function withNewest(pages: readonly HistorySlice[], newest: HistorySlice): HistorySlice[] {
  const [first, ...older] = pages
  const known = new Set(newest.items.map(({ txid }) => txid))
  const isJoined = first === undefined || first.items.length === 0 || first.items.some(({ txid }) => known.has(txid))
  // More arrived than fits on a page: what lies between is unknown, so the list starts over.
  if (!isJoined || first === undefined) return [newest]
  // Unconfirmed ones come first: one no longer listed was confirmed or dropped.
  const isWhollyUnconfirmed = newest.items.every(({ confirmations }) => confirmations === 0)
  const kept = first.items.filter(({ txid, confirmations }) => !known.has(txid) && (confirmations > 0 || isWhollyUnconfirmed))
  return [{ totalItems: newest.totalItems, items: [...newest.items, ...kept] }, ...older]
}
