interface PrefetchOptions<V> {
  readonly signal: AbortSignal
  readonly sizeOf: (value: V) => number
  /** The size of all values that are loaded or being loaded; one value is always allowed, however large. */
  readonly budget?: number
  readonly concurrency?: number
}

const BUDGET_BYTES = 32 * 1024 * 1024
const MAX_CONCURRENCY = 8

/** Loads the values of the keys ahead of the reader, in order, within a budget of bytes. */
export async function* prefetched<K, V>(
  keys: AsyncIterable<K>,
  load: (key: K, signal: AbortSignal) => Promise<V>,
  { signal, sizeOf, budget = BUDGET_BYTES, concurrency = MAX_CONCURRENCY }: PrefetchOptions<V>,
): AsyncIterable<V> {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const ahead: Promise<V>[] = []
  // The next values are expected to be like the last ones; a large one raises the estimate for a while.
  let expected = budget / concurrency
  const roomFor = () => Math.max(1, Math.min(concurrency, Math.floor(budget / expected)))
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

/** Keeps a failure that nobody awaits from being an unhandled rejection. */
function quietly<V>(loading: Promise<V>): Promise<V> {
  loading.catch(() => {})
  return loading
}
