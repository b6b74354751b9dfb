import { billingRanges } from '../parts/days.js'
import { keysOf } from '../parts/keys.js'

/** UTC days, both included. */
export interface BillingDays {
  readonly fromDate: string
  readonly toDate: string
}

/** From the address of the page; this month where it has none. */
export function billingDays(search: URLSearchParams, today: string): BillingDays {
  const [from, to] = billingRanges(today).thisMonth
  return { fromDate: search.get('from') ?? from, toDate: search.get('to') ?? to }
}

/** The presets, and which of them these days are. */
export function billingPresets({ fromDate, toDate }: BillingDays, today: string) {
  const ranges = billingRanges(today)
  const names = keysOf(ranges)
  const selected = names.find((name) => ranges[name][0] === fromDate && ranges[name][1] === toDate)
  return { names, selected, daysOf: (name: keyof typeof ranges) => toDays(ranges[name]) }
}

/** For the address of the page; none while a day is missing, as it is while one is typed. */
export function billingSearch({ fromDate, toDate }: BillingDays): { from: string; to: string } | undefined {
  return fromDate && toDate ? { from: fromDate, to: toDate } : undefined
}

export function isBackwards({ fromDate, toDate }: BillingDays): boolean {
  return fromDate > toDate
}

function toDays([fromDate, toDate]: readonly [string, string]): BillingDays {
  return { fromDate, toDate }
}
