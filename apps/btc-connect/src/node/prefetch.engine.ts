export interface PrefetchOptions<V> {
  readonly signal: AbortSignal
  readonly sizeOf: (value: V) => number
  /** What may lie ready or be on its way; one value is always allowed, however large. */
  readonly budget?: number
  readonly atOnce?: number
}

const BUDGET_BYTES = 32 * 1024 * 1024
const AT_ONCE = 8

/** Loads what the keys stand for ahead of whoever reads it, in order, within a budget of bytes. */
export async function* prefetched<K, V>(
  keys: AsyncIterable<K>,
  load: (key: K, signal: AbortSignal) => Promise<V>,
  { signal, sizeOf, budget = BUDGET_BYTES, atOnce = AT_ONCE }: PrefetchOptions<V>,
): AsyncIterable<V> {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const ahead: Promise<V>[] = []
  // What the next values will be like is what the last ones were like; one that is large is not soon forgotten.
  let expected = budget / atOnce
  const roomFor = () => Math.max(1, Math.min(atOnce, Math.floor(budget / expected)))
  try {
    for await (const key of keys) {
      ahead.push(quietly(load(key, until)))
      while (ahead.length >= roomFor()) yield await next()
    }
    while (ahead.length > 0) yield await next()
  } finally {
    stop.abort()
  }

  async function next(): Promise<V> {
    const value = await (ahead.shift() as Promise<V>)
    expected = Math.max(sizeOf(value), expected * 0.9, 1)
    return value
  }
}

/** A failure is told to whoever awaits it; one that nobody gets to is no crash. */
function quietly<V>(loading: Promise<V>): Promise<V> {
  loading.catch(() => {})
  return loading
}
