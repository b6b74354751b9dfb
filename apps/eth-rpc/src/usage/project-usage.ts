import { LATENCY_BUCKETS, latencyBucketOf, latencyQuantile } from '@trestle/contracts/eth-rpc/latency'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'
import type { UsageMeter } from '@trestle/usage/usage-meter'
import type { UsageKind } from '@trestle/usage/usage-sums'

/** The sums of this area, besides those that every service has. */
export type CallSum = 'computeUnits' | 'cacheHits'

export type ProjectMeter = UsageMeter<CallSum>

/** One call, as it is counted. */
interface CallCount {
  readonly computeUnits: number
  readonly bytesOut: number
  readonly failed: boolean
  readonly cached: boolean
  /** Until its answer was complete; undefined of a notification or a refusal. */
  readonly ms: number | undefined
}

export const PROJECT_USAGE: Omit<UsageKind<CallSum>, 'service'> = {
  route: '/v1/{projectId}',
  maxWaitingRows: 200_000,
  table: {
    name: 'usage_hour',
    key: 'project',
    keyType: 'int',
    columns: [
      ['calls', 'calls'],
      ['errors', 'errors'],
      ['computeUnits', 'compute_units'],
      ['bytesOut', 'bytes_out'],
      ['cacheHits', 'cache_hits'],
    ],
    latencyBuckets: LATENCY_BUCKETS,
    perDay: { table: 'usage_day', column: 'compute_units' },
    none: () => ({ calls: 0, errors: 0, computeUnits: 0, bytesOut: 0, cacheHits: 0, latency: new Array<number>(LATENCY_BUCKETS).fill(0) }),
  },
}

export function countCall(meter: ProjectMeter, method: string, { computeUnits, bytesOut, failed, cached, ms }: CallCount): void {
  const sums = meter.of(method)
  sums.calls++
  sums.computeUnits += computeUnits
  sums.bytesOut += bytesOut
  if (failed) sums.errors++
  if (cached) sums.cacheHits++
  if (ms === undefined) return
  const bucket = latencyBucketOf(ms)
  sums.latency[bucket] = (sums.latency[bucket] ?? 0) + 1
}

/** Counts by bucket with the quantiles that are estimated from them. */
export function latencyOf(counts: number[]): MethodUsage['latency'] {
  const quantile = (part: number) => latencyQuantile(counts, part)
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), counts }
}
