const DAY_MS = 24 * 3600_000

/** How long a key may be good for: always, so many days, or until a day of one's choice. */
export const EXPIRIES = ['never', '30', '90', '365', 'day'] as const

/** When a key ends; `lastDay` as `YYYY-MM-DD`, to its end where one is. */
export function keyExpiresAt(expiry: string, lastDay: string, now: Date): string | undefined {
  if (expiry === 'never') return undefined
  if (expiry !== 'day') return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString()
  const [year = Number.NaN, month = 1, day = 1] = lastDay.split('-').map(Number)
  return new Date(new Date(year, month - 1, day + 1).getTime() - 1).toISOString()
}
