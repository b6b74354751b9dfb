const DAY_MS = 86_400_000

/** A UTC day as `YYYY-MM-DD`. */
export type Day = string

export function dayOf(time: Date): Day {
  return time.toISOString().slice(0, 10)
}

export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS))
}

/** The number of days from the first to the last, both inclusive; 0 if the last is before the first. */
export function countDays(from: Day, to: Day): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1)
}
