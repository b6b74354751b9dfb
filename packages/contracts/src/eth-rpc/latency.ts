/**
 * Where the buckets end in which latencies are counted, in milliseconds: each has what took less than its end and not less than the end before.
 * One more has all that took longer. They double, so that an estimate between the first and the last is off by less than a factor of two.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 17 }, (_, power) => 2 ** power / 4)

export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1

/** The bucket of a call. In integers, for every call asks for it: the bounds are the powers of two, in quarters of a millisecond. */
export function latencyBucketOf(ms: number): number {
  const bucket = 32 - Math.clz32(ms * 4)
  return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1
}

/** Those of several methods, hours or days together. */
export function sumLatencyCounts(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => (one[bucket] ?? 0) + (other[bucket] ?? 0))
}

/**
 * What so large a part of the calls did not take longer than, in milliseconds, by nearest rank: in the bucket that the true one is in, as if
 * the calls in there were spread evenly. Of what took longest only the least is known. `null` where nothing was counted.
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
