import { type DayRange, overlapOf } from '../rewards/day-range.js'
import { addDays, type Day } from '../rewards/days.js'

/** From which UTC day something belongs to whom. The last change with a day not after a day counts for that day. */
export interface OwnerChange {
  readonly owner: string | null
  readonly from: Day
}

/** Days of a range, and who they belong to. */
interface OwnedDays extends DayRange {
  readonly owner: string | null
}

/** Who each day of the range belongs to; days before the first change are left out. `changes` are in the order in which they were recorded. */
function ownedDays(changes: readonly OwnerChange[], range: DayRange): OwnedDays[] {
  return changes.flatMap(({ owner, from }, i) => {
    const next = changes[i + 1]
    const days = overlapOf({ from, to: next ? addDays(next.from, -1) : range.to }, range)
    return days ? [{ owner, ...days }] : []
  })
}

/**
 * The days of the range for which a validator is on the bill of an organization: which owned it, or on whose bill was the personal
 * organization that owned it. A day is on the bill of one organization only.
 */
export function billedDays(
  { owners, accounts }: { owners: readonly OwnerChange[]; accounts: ReadonlyMap<string, readonly OwnerChange[]> },
  organizationId: string,
  range: DayRange,
): DayRange[] {
  return ownedDays(owners, range)
    .flatMap(({ owner, ...days }) => {
      const billed = accounts.get(owner ?? '') ?? []
      return ownedDays([{ owner, from: days.from }, ...billed.map((change) => ({ ...change, owner: change.owner ?? owner }))], days)
    })
    .filter(({ owner }) => owner === organizationId)
    .map(({ from, to }) => ({ from, to }))
}
