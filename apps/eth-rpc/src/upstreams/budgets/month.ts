/** The month of a moment in UTC, by its beginning in epoch milliseconds. */
export function monthOf(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function monthAfter(month: number): number {
  const date = new Date(month)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
