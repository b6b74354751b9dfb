import { Problem } from '@trestle/problem/problem'
import { addDays, countDays, type Day } from './days.js'

const MAX_DAYS = 366
const DEFAULT_DAYS = 30

/** UTC days, both inclusive. */
export interface DayRange {
  readonly from: Day
  readonly to: Day
}

/** The days that two ranges have in common. */
export function overlapOf(one: DayRange, other: DayRange): DayRange | undefined {
  const [, from = one.from] = [one.from, other.from].toSorted()
  const [to = one.to] = [one.to, other.to].toSorted()
  return from <= to ? { from, to } : undefined
}

/** The requested days; by default the last 30, including today. */
export function dayRangeOf(query: Partial<DayRange>, today: Day): DayRange {
  const to = query.to ?? today
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw new Problem('invalid', 'InvalidRange', 'The first day must not be after the last.')
  if (countDays(from, to) > MAX_DAYS) throw new Problem('invalid', 'InvalidRange', `A range has at most ${MAX_DAYS} days.`)
  return { from, to }
}
