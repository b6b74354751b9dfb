import type { NodeUsage } from '@trestle/contracts/nodes/usage'

export interface Sums {
  readonly calls: number
  readonly errors: number
  readonly bytesOut: number
}

/** An hour or a day, by when it begins. */
export interface Bucket extends Sums {
  readonly time: Date
}

type Entry = Partial<Sums> & { readonly time: string }
const HOUR_MS = 3_600_000
const NOTHING: Sums = { calls: 0, errors: 0, bytesOut: 0 }

/** Every hour (or day, UTC) from `from` to `to`, those without a call too. */
export function overTime(usage: readonly Entry[], { from, to, hours }: { from: Date; to: Date; hours: 1 | 24 }): Bucket[] {
  const size = hours * HOUR_MS
  const placeOf = (time: Date) => Math.floor(time.getTime() / size)
  const first = placeOf(from)
  const buckets = Array.from({ length: Math.max(placeOf(to) - first + 1, 1) }, (_, index) => ({
    time: new Date((first + index) * size),
    ...NOTHING,
  }))
  for (const entry of usage) {
    const place = placeOf(new Date(entry.time)) - first
    const bucket = buckets[place]
    if (bucket) buckets[place] = { ...bucket, ...sum(bucket, entry) }
  }
  return buckets
}

/** Sums of each method, the most called first. */
export function byMethod(usage: NodeUsage['usage']): (Sums & { readonly method: string })[] {
  const methods = new Map<string, Sums>()
  for (const entry of usage) methods.set(entry.method, sum(methods.get(entry.method) ?? NOTHING, entry))
  return [...methods].map(([method, sums]) => ({ method, ...sums })).sort((a, b) => b.calls - a.calls)
}

export function total(usage: readonly Partial<Sums>[]): Sums {
  return usage.reduce<Sums>(sum, NOTHING)
}

function sum(a: Sums, b: Partial<Sums>): Sums {
  return { calls: a.calls + (b.calls ?? 0), errors: a.errors + (b.errors ?? 0), bytesOut: a.bytesOut + (b.bytesOut ?? 0) }
}
