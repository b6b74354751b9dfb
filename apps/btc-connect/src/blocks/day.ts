import type { BlockList } from '@trestle/contracts/btc-connect/blocks'
import { DEFAULT_PAGE_BLOCKS } from '@trestle/contracts/btc-connect/blocks'
import { Problem } from '@trestle/problem/problem'
import type { PoolInfo } from './pool.js'

interface Asked {
  readonly date?: string
  readonly blockDate?: string
  readonly startTimestamp?: number
  readonly startHeight?: number
  readonly limit?: number
}

/** The requested blocks of a day: from `start` on, and before the position (`before`, `beforeHeight`); newest first. */
export interface BlockDay {
  readonly date: string
  readonly isToday: boolean
  readonly start: number
  readonly before: number
  readonly beforeHeight: number
  readonly limit: number
}

const SECONDS = 86_400

export function blockDay({ date, blockDate, startTimestamp, startHeight, limit = DEFAULT_PAGE_BLOCKS }: Asked, now: Date): BlockDay {
  const today = dateOf(now.getTime() / 1000)
  const requested = date ?? blockDate ?? today
  const start = startOf(requested)
  // Without a height, blocks of that very time are excluded.
  const beforeHeight = startTimestamp !== undefined && startHeight !== undefined ? startHeight : 0
  return { date: requested, isToday: requested === today, start, before: startTimestamp || start + SECONDS, beforeHeight, limit }
}

export interface ListedBlock {
  readonly height: number
  readonly size: number
  readonly hash: Buffer
  readonly time: number
  readonly txCount: number
  readonly poolInfo: PoolInfo
}

/** One page of a day; `found` has one block more than the limit if another page follows. */
export function toBlockList(day: BlockDay, found: readonly ListedBlock[]): BlockList {
  const { date, isToday, start, before, limit } = day
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const more = found.length > page.length
  return {
    blocks: page.toSorted((a, b) => b.height - a.height).map(toSummary),
    length: page.length,
    pagination: {
      next: dateOf(before),
      prev: dateOf(start - SECONDS),
      currentTs: before - 1,
      current: date,
      isToday,
      more,
      // Insight 0.3 and later repeat their own start here, which sends clients in a circle.
      ...(more && last && { moreTs: last.time, moreHeight: last.height }),
    },
  }
}

// A block's time may be two hours ahead, and the newest blocks may still be replaced.
const GRACE_SECONDS = SECONDS

/** Whether a day is complete when the tip has this time. */
export function isOver({ start }: BlockDay, tipTime: number): boolean {
  return start + SECONDS + GRACE_SECONDS < tipTime
}

function toSummary({ height, size, hash, time, txCount, poolInfo }: ListedBlock) {
  return { height, size, hash: hash.toString('hex'), time, txlength: txCount, poolInfo }
}

function startOf(date: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  // 2026-02-30 is parsed as a day of March.
  if (Number.isNaN(time) || dateOf(time / 1000) !== date) throw new Problem('invalid', 'InvalidDate', 'Please use yyyy-mm-dd format')
  return time / 1000
}

// The range of four-digit years.
const FIRST = Date.parse('0000-01-01T00:00:00Z') / 1000
const LAST = Date.parse('9999-12-31T00:00:00Z') / 1000

function dateOf(seconds: number): string {
  return new Date(Math.min(LAST, Math.max(FIRST, seconds)) * 1000).toISOString().slice(0, 10)
}
