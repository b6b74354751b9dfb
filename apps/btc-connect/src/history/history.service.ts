import { Injectable } from '@nestjs/common'
import { MAX_COUNTED_ENTRIES } from '@trestle/contracts/btc-connect/addresses'
import type { Snapshot } from '../reading/snapshots.service.js'
import { type HistoryPage, type HistoryRange, positionsOf, rangeAfter } from './history.js'
import { HistoryRepository } from './history.repository.js'
import { MergedHistory } from './merged-history.js'

/** The transactions of scripts, newest first, those of the mempool on top. */
@Injectable()
export class HistoryService {
  constructor(private readonly history: HistoryRepository) {}

  /** A page of one script; its cost does not depend on the length of the history. */
  async page({ client }: Snapshot, key: string, range: HistoryRange): Promise<HistoryPage> {
    const unconfirmed = await this.history.countUnconfirmed(client, [key])
    const confirmed = (await this.history.countConfirmed(client, [key])).get(key) ?? 0
    const top = range.from < unconfirmed ? await this.history.listUnconfirmed(client, [key], range) : []
    const slice = positionsOf(rangeAfter(range, unconfirmed), confirmed)
    const rest = slice.low < slice.high ? await this.history.listConfirmed(client, key, slice) : []
    return { total: unconfirmed + confirmed, entries: [...top, ...rest] }
  }

  /** A page of several scripts, each transaction once; its cost grows with the depth of the page. */
  async mergedPage(snapshot: Snapshot, keys: readonly string[], range: HistoryRange): Promise<HistoryPage> {
    const { client } = snapshot
    const unconfirmed = await this.history.countUnconfirmed(client, keys)
    const counts = await this.history.countConfirmed(client, keys)
    const top = range.from < unconfirmed ? await this.history.listUnconfirmed(client, keys, range) : []
    const { from, to } = rangeAfter(range, unconfirmed)
    const newest = to > from ? await this.newest(snapshot, counts, to) : []
    const ids = newest.slice(from)
    const rest = ids.length > 0 ? await this.history.listEntries(client, ids) : []
    return { total: unconfirmed + (await this.total(snapshot, counts)), entries: [...top, ...rest] }
  }

  /** How many transactions several scripts have together; beyond a bound, the sum of what each has. */
  async count(snapshot: Snapshot, keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0
    const { client } = snapshot
    const unconfirmed = await this.history.countUnconfirmed(client, keys)
    return unconfirmed + (await this.total(snapshot, await this.history.countConfirmed(client, keys)))
  }

  private async newest({ client }: Snapshot, counts: ReadonlyMap<string, number>, count: number): Promise<number[]> {
    const merged = new MergedHistory(counts, count)
    for (let slices = merged.missing(); slices.length > 0; slices = merged.missing()) {
      merged.add(slices, await this.history.listSlices(client, slices))
    }
    return merged.newest()
  }

  private async total({ client }: Snapshot, counts: ReadonlyMap<string, number>): Promise<number> {
    const sum = [...counts.values()].reduce((total, count) => total + count, 0)
    return counts.size < 2 || sum > MAX_COUNTED_ENTRIES ? sum : this.history.countDistinct(client, [...counts.keys()])
  }
}
