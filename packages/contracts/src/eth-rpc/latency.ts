/**
 * The exclusive upper bounds of the latency buckets in milliseconds; one more bucket has everything slower. They double, so that an estimate
 * within them is off by less than a factor of two.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 17 }, (_, power) => 2 ** power / 4)

export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1

/** The bucket of a call. Integer arithmetic, as it is on the path of every call: the bounds are powers of two in quarters of a millisecond. */
export function latencyBucketOf(ms: number): number {
  const bucket = 32 - Math.clz32(ms * 4)
  return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1
}

/** The counts of several methods, hours or days together. */
export function sumLatencyCounts(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => (one[bucket] ?? 0) + (other[bucket] ?? 0))
}

/**
 * The nearest-rank quantile in milliseconds, interpolated within its bucket; in the last bucket, its lower bound. `null` if nothing was
 * counted.
 */
export function latencyQuantile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let rank = Math.max(1, Math.ceil(total * part))
  for (const [bucket, count] of counts.entries()) {
    if (rank <= count) return placeIn(bucket, (rank - 0.5) / count)
    rank -= count
  }
  return null
}

function placeIn(bucket: number, place: number): number {
  const from = LATENCY_BOUNDS_MS[bucket - 1] ?? 0
  const to = LATENCY_BOUNDS_MS[bucket] ?? from
  return from + (to - from) * place
}
