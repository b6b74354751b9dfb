import { Problem } from '@trestle/problem/problem'
import { addDays, countDays, type Day } from './days.js'

const MAX_DAYS = 366
const DEFAULT_DAYS = 30

/** UTC days, both counted. */
export interface DayRange {
  readonly from: Day
  readonly to: Day
}

/** The days asked for; by default those up to today, 30 in all. */
export function dayRangeOf(query: Partial<DayRange>, today: Day): DayRange {
  const to = query.to ?? today
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw new Problem('invalid', 'InvalidRange', 'The first day must not be after the last.')
  if (countDays(from, to) > MAX_DAYS) throw new Problem('invalid', 'InvalidRange', `At most ${MAX_DAYS} days are told at once.`)
  return { from, to }
}
