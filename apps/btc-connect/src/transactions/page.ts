import type { HistoryRange } from '../history/history.js'

const SIZE = 10

/** The entries of a page; the first is page 0. */
export function pageRange(pageNum: number, total = Number.POSITIVE_INFINITY): HistoryRange {
  return { from: Math.min(total, pageNum * SIZE), to: Math.min(total, (pageNum + 1) * SIZE) }
}

export function pagesOf(total: number): number {
  return Math.ceil(total / SIZE)
}
