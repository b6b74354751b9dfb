const HOUR_MS = 3600_000

/** What is left until a time, rounded down: nobody should count on more. */
export function remainingText(until: string, now: Date): string {
  const ms = new Date(until).getTime() - now.getTime()
  if (ms <= 0) return 'no time'
  const hours = Math.floor(ms / HOUR_MS)
  if (hours > 0) return hours === 1 ? '1 hour' : `${hours} hours`
  const minutes = Math.floor(ms / 60_000)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
