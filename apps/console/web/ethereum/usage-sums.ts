import { addedLatencies, latencyQuantile } from '@trestle/contracts/eth-rpc/latency'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'

export interface Sums extends Pick<MethodUsage, 'calls' | 'errors' | 'computeUnits' | 'bytesOut' | 'cacheHits'> {
  /** How many calls took how long, by bucket. */
  readonly latency: readonly number[]
}

const STEP_MS = { hour: 3_600_000, day: 86_400_000 }
const NOTHING: Sums = { calls: 0, errors: 0, computeUnits: 0, bytesOut: 0, cacheHits: 0, latency: [] }

/** When the hours or days of a range begin (UTC), also those in which nothing was called. */
export function beginnings({ from, to, granularity }: { from: string; to: string; granularity: 'hour' | 'day' }): string[] {
  const step = STEP_MS[granularity]
  const first = Math.floor(Date.parse(from) / step) * step
  const length = Math.max(0, Math.ceil((Date.parse(to) - first) / step))
  return Array.from({ length }, (_, index) => new Date(first + index * step).toISOString())
}

export function total(usage: readonly MethodUsage[]): Sums {
  return usage.reduce(
    (sums, each) => ({
      calls: sums.calls + each.calls,
      errors: sums.errors + each.errors,
      computeUnits: sums.computeUnits + each.computeUnits,
      bytesOut: sums.bytesOut + each.bytesOut,
      cacheHits: sums.cacheHits + each.cacheHits,
      latency: addedLatencies(sums.latency, each.latency.counts),
    }),
    NOTHING,
  )
}

/** For each of the beginnings. */
export function byTime(usage: readonly MethodUsage[], times: readonly string[]): Sums[] {
  const groups = Map.groupBy(usage, ({ time }) => time)
  return times.map((time) => total(groups.get(time) ?? []))
}

/** The most called first. */
export function byMethod(usage: readonly MethodUsage[]): (Sums & { method: string })[] {
  const groups = [...Map.groupBy(usage, ({ method }) => method)]
  return groups.map(([method, each]) => ({ method, ...total(each) })).sort((a, b) => b.calls - a.calls || a.method.localeCompare(b.method))
}

/** In per cent; of nothing there is no share. */
export function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}

/** What so many per cent of the calls did not take longer than, in milliseconds; of nothing there is none. */
export function percentile({ latency }: Sums, percent: number): number | undefined {
  return latencyQuantile(latency, percent / 100) ?? undefined
}
