import { EXIT, Failure } from '../failure/failure.js'

/** A day such as 2026-11-30. */
export function calendarDay(text: string, what: string): string {
  // Date accepts the 31st of every month, and means the 1st of the next.
  const time = Date.parse(`${text}T00:00:00Z`)
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`)) return text
  throw new Failure(EXIT.usage, `${what} cannot be "${text}".`, 'Use a date such as 2026-11-30.')
}
