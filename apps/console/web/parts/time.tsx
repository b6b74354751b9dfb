import { useSyncExternalStore } from 'react'
import { partsTexts } from '../texts/parts.js'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** A time relative to now; the exact time as its title. */
export function Time({ value }: { value: string | number | Date }) {
  const date = new Date(value)
  const now = useSyncExternalStore(subscribeToClock, readClock, readClock)
  return (
    <time dateTime={date.toISOString()} title={absolute.format(date)}>
      {formatDistance(date, now)}
    </time>
  )
}

export function formatDistance(date: Date, now: Date): string {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000)
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : partsTexts.now
}

export function exactTime(value: string | number | Date): string {
  return absolute.format(new Date(value))
}

// One clock for all times on the page: there may be many.
const TICK_MS = 30_000
const listeners = new Set<() => void>()
let clock = new Date()
let timer: ReturnType<typeof setInterval> | undefined

function readClock(): Date {
  return clock
}

function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    tick()
    timer = setInterval(tick, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  clock = new Date()
  for (const listener of listeners) listener()
}
