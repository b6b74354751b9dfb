import { slotOf } from '../../src/filters/filter-id.js'
import type { FilterRecord } from '../../src/filters/filter-record.js'
import type { FilterKey } from '../../src/filters/filter-store.client.js'

interface Stored {
  readonly id: string
  readonly record: FilterRecord
  readonly revision: number
  readonly writtenAt: number
}

const LATENCY_MS = 1

/** What the replicas share, as in NATS: filters by compare and set, and the highest block that any of them has announced. */
export class SimSharedState {
  private readonly slots = new Map<string, Stored>()
  private revision = 0
  private highest?: number

  /** As a `FilterStoreClient`. */
  readonly filters = {
    find: async ({ id }: FilterKey): Promise<Stored | undefined> => {
      await latency()
      const stored = this.slots.get(slotOf(id))
      return stored?.id === id ? stored : undefined
    },
    write: async ({ id }: FilterKey, record: FilterRecord, revision = 0): Promise<boolean> => {
      await latency()
      const slot = slotOf(id)
      if ((this.slots.get(slot)?.revision ?? 0) !== revision) return false
      // As it is stored.
      this.slots.set(slot, { id, record: JSON.parse(JSON.stringify(record)), revision: ++this.revision, writtenAt: Date.now() })
      await latency()
      return true
    },
    remove: async ({ id }: FilterKey, revision: number): Promise<boolean> => {
      await latency()
      return this.slots.get(slotOf(id))?.revision === revision && this.slots.delete(slotOf(id))
    },
    listTaken: async (): Promise<ReadonlySet<string>> => new Set(this.slots.keys()),
  }

  /** As a `HeadFloorClient`. */
  readonly floor = {
    read: async (): Promise<number | undefined> => this.highest,
    raise: async (number: number): Promise<void> => {
      await latency()
      this.highest = Math.max(this.highest ?? 0, number)
    },
  }
}

function latency(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
}
