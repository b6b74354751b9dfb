/** Keeps answers for a moment, so that many who ask the same at once are one question to the node. */
export class ShortCache<K, V> {
  private readonly kept = new Map<K, Promise<V>>()

  constructor(private readonly ms: number) {}

  get(key: K, load: () => Promise<V>): Promise<V> {
    const known = this.kept.get(key)
    if (known) return known
    const loading = load()
    this.kept.set(key, loading)
    const forget = () => this.kept.delete(key)
    loading.then(() => setTimeout(forget, this.ms).unref(), forget)
    return loading
  }
}
