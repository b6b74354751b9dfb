const DAY_MS = 86_400_000

/** How far back to look: the number of periods, and the UTC days of each. */
export const CHART_RANGES = { week: [7, 1], month: [30, 1], quarter: [13, 7], year: [12, 30] } as const
export type ChartRange = keyof typeof CHART_RANGES

/** UTC days, both included. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly label: string
}

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The periods up to today, oldest first. */
export function periodsOf(range: ChartRange, today: string): Period[] {
  const [periods, days] = CHART_RANGES[range]
  return Array.from({ length: periods }, (_, index) => {
    const to = daysAfter(today, -(periods - 1 - index) * days)
    const from = daysAfter(to, 1 - days)
    return { from, to, label: short.format(new Date(from)) }
  })
}

export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

export function daysAfter(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * DAY_MS))
}

/** Ranges that bills are made for. */
export function billingRanges(
  today: string,
): Readonly<Record<'thisMonth' | 'lastMonth' | 'thirtyDays' | 'thisYear', [from: string, to: string]>> {
  const firstOfMonth = `${today.slice(0, 8)}01`
  const lastOfEarlier = daysAfter(firstOfMonth, -1)
  return {
    thisMonth: [firstOfMonth, today],
    lastMonth: [`${lastOfEarlier.slice(0, 8)}01`, lastOfEarlier],
    thirtyDays: [daysAfter(today, -29), today],
    thisYear: [`${today.slice(0, 4)}-01-01`, today],
  }
}
