/** Caches results for a moment, so that simultaneous requests for the same value cause one call. */
export class ShortCache<K, V> {
  private readonly cached = new Map<K, Promise<V>>()

  constructor(private readonly ms: number) {}

  get(key: K, load: () => Promise<V>): Promise<V> {
    const hit = this.cached.get(key)
    if (hit) return hit
    const loading = load()
    this.cached.set(key, loading)
    const forget = () => this.cached.delete(key)
    loading.then(() => setTimeout(forget, this.ms).unref(), forget)
    return loading
  }
}
