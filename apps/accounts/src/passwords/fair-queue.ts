/** Those who wait take turns: somebody with many in the queue delays each other one by a single turn. The first of each comes first. */
export class FairQueue<T> {
  private readonly groups = new Map<string, T[]>()
  private count = 0

  get size(): number {
    return this.count
  }

  push(turnOf: string, item: T): void {
    const group = this.groups.get(turnOf)
    if (group) group.push(item)
    else this.groups.set(turnOf, [item])
    this.count++
  }

  shift(): T | undefined {
    const [next] = this.groups
    if (!next) return undefined
    const [turnOf, group] = next
    const item = group.shift()
    this.groups.delete(turnOf)
    if (group.length > 0) this.groups.set(turnOf, group)
    this.count--
    return item
  }

  /** Whether somebody has so many more in the queue that the last of them should make room. */
  canDisplaceFor(turnOf: string): boolean {
    return (this.largest()?.[1].length ?? 0) > (this.groups.get(turnOf)?.length ?? 0) + 1
  }

  /** Takes out the last of whoever has the most. */
  displace(): T | undefined {
    const largest = this.largest()
    if (!largest) return undefined
    const [turnOf, group] = largest
    const item = group.pop()
    if (group.length === 0) this.groups.delete(turnOf)
    this.count--
    return item
  }

  private largest(): [string, T[]] | undefined {
    let largest: [string, T[]] | undefined
    for (const entry of this.groups) if (entry[1].length > (largest?.[1].length ?? 0)) largest = entry
    return largest
  }
}
