import { EXIT, Failure } from '../failure/failure.js'

const YEAR = 31_536_000
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const
const SECONDS_OF: ReadonlyMap<string | undefined, number> = new Map(Object.entries(SECONDS))
// Longer ones would leave the range of Date.
const MAX_MILLIS = 1000 * YEAR * 1000

/** Milliseconds of `90s`, `15m`, `2h30m`, `7d` or `2w`. */
export function millisOf(text: string, what: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhdw])/g)]
  const millis = parts.reduce((total, [, count, unit]) => total + Number(count) * (SECONDS_OF.get(unit) ?? 0) * 1000, 0)
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text || millis > MAX_MILLIS)
    throw new Failure(EXIT.usage, `${what} cannot be "${text}".`, 'Use a duration such as 90s, 15m, 2h30m, 7d or 2w.')
  return millis
}

const UNITS = [
  ['y', YEAR],
  ['d', SECONDS.d],
  ['h', SECONDS.h],
  ['m', SECONDS.m],
  ['s', 1],
] as const

/** A duration in its two largest units. */
export function duration(millis: number): string {
  let left = Math.round(Math.abs(millis) / 1000)
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0 || (unit === 's' && parts.length === 0)) parts.push(`${count}${unit}`)
    else if (parts.length > 0) parts.push('')
  }
  return parts.slice(0, 2).filter(Boolean).join(' ')
}

/** A time as `2h ago` or `in 2h`; empty for none. */
export function relative(time: string | number | null | undefined, now: Date): string {
  if (time === null || time === undefined) return ''
  const millis = new Date(time).getTime() - now.getTime()
  return millis <= 0 ? `${duration(millis)} ago` : `in ${duration(millis)}`
}

/** A time (UTC) to the second. */
export function clock(time: string | number | Date): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}
