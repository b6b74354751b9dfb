import { latencyQuantile, sumLatencyCounts } from '@trestle/contracts/eth-rpc/latency'

/** One method's calls in one hour or day; node usage has neither compute units nor latencies. */
export interface UsageEntry {
  readonly time: string
  readonly method?: string
  readonly calls?: number
  readonly errors?: number
  readonly bytesOut?: number
  readonly computeUnits?: number
  readonly cacheHits?: number
  readonly latency?: { readonly counts: readonly number[] }
}

interface UsageTotals extends Required<Omit<UsageEntry, 'time' | 'method' | 'latency'>> {
  /** Calls by latency bucket. */
  readonly latency: readonly number[]
}

export type MethodTotals = UsageTotals & { readonly method: string }
type Granularity = 'hour' | 'day'

const STEP_MS = { hour: 3_600_000, day: 86_400_000 }
const NO_CALLS: UsageTotals = { calls: 0, errors: 0, computeUnits: 0, bytesOut: 0, cacheHits: 0, latency: [] }

/** The hours or days (UTC) of a range, including those without calls. */
export function periodStarts({ from, to, granularity }: { from: string; to: string; granularity: Granularity }): string[] {
  const step = STEP_MS[granularity]
  const first = Math.floor(Date.parse(from) / step) * step
  const length = Math.max(0, Math.ceil((Date.parse(to) - first) / step))
  return Array.from({ length }, (_, index) => new Date(first + index * step).toISOString())
}

export function totalUsage(usage: readonly UsageEntry[]): UsageTotals {
  return usage.reduce<UsageTotals>(
    (totals, { calls = 0, errors = 0, computeUnits = 0, bytesOut = 0, cacheHits = 0, latency }) => ({
      calls: totals.calls + calls,
      errors: totals.errors + errors,
      computeUnits: totals.computeUnits + computeUnits,
      bytesOut: totals.bytesOut + bytesOut,
      cacheHits: totals.cacheHits + cacheHits,
      latency: latency ? sumLatencyCounts(totals.latency, latency.counts) : totals.latency,
    }),
    NO_CALLS,
  )
}

/** Totals for each of these periods; an entry belongs to the period its time falls in. */
export function usageByTime(usage: readonly UsageEntry[], starts: readonly string[], granularity: Granularity): UsageTotals[] {
  const periodOf = (time: string) => Math.floor(Date.parse(time) / STEP_MS[granularity])
  const groups = Map.groupBy(usage, ({ time }) => periodOf(time))
  return starts.map((start) => totalUsage(groups.get(periodOf(start)) ?? []))
}

/** Most called first, equals by name. */
export function usageByMethod(usage: readonly UsageEntry[]): MethodTotals[] {
  return [...Map.groupBy(usage, ({ method = '' }) => method)]
    .map(([method, entries]) => ({ method, ...totalUsage(entries) }))
    .sort((a, b) => b.calls - a.calls || a.method.localeCompare(b.method))
}

/** In percent; undefined without a whole. */
export function percentOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}

/** The latency in milliseconds that this percentage of calls did not exceed; undefined without calls. */
export function latencyPercentile({ latency }: UsageTotals, percent: number): number | undefined {
  return latencyQuantile(latency, percent / 100) ?? undefined
}
