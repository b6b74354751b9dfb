import type { ChainAnchor, NewAnswer, SealedAnswer, StoredChain } from '../../src/answer-store/answer-store.repository.js'
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

/**
 * What the replicas share, as in NATS: filters by compare and set, and the highest block that any of them has announced; and as in Postgres:
 * answers.
 */
export class SimSharedState {
  private readonly slots = new Map<string, Stored>()
  private revision = 0
  private highest?: number
  private chains: StoredChain[] = []
  private readonly stored = new Map<string, SealedAnswer & { readonly askedAt: number }>()
  private readonly distrusted = new Map<string, number>()

  constructor(readonly storesAnswers = false) {}

  /** How many are stored. */
  get answersStored(): number {
    return this.stored.size
  }

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

  /** As an `AnswerStoreRepository`. */
  readonly answers = {
    list: async (names: readonly string[]): Promise<ReadonlyMap<string, SealedAnswer>> => {
      await latency()
      const isTrusted = ({ askedAt, outcome }: SealedAnswer & { askedAt: number }) =>
        !outcome.by?.some((name) => (this.distrusted.get(name) ?? -1) >= askedAt)
      const found = names.flatMap((name) => {
        const answer = this.stored.get(name)
        return answer && isTrusted(answer) ? [[name, answer] as const] : []
      })
      return new Map(found)
    },
    add: async (chain: string, answers: readonly NewAnswer[]): Promise<boolean> => {
      await latency()
      if (!this.chains.some(({ id }) => id === chain)) return false
      for (const { name, outcome, mac, ageMs } of answers)
        if (!this.stored.has(name)) this.stored.set(name, { outcome, mac, askedAt: performance.now() - ageMs })
      return true
    },
    remove: async (names: readonly string[]): Promise<void> => {
      for (const name of names) this.stored.delete(name)
    },
    distrust: async (upstream: string): Promise<void> => void this.distrusted.set(upstream, performance.now()),
    findChain: async ({ chainId, genesis }: Omit<StoredChain, 'id' | 'anchor'>): Promise<StoredChain | undefined> =>
      this.chains.find((chain) => chain.chainId === chainId && chain.genesis === genesis),
    addChain: async (chain: Omit<StoredChain, 'id'>): Promise<void> => {
      if (!(await this.answers.findChain(chain))) this.chains.push({ ...chain, id: String(++this.revision) })
    },
    raiseAnchor: async (id: string, anchor: ChainAnchor): Promise<void> => {
      this.chains = this.chains.map((chain) => (chain.id === id && chain.anchor.number < anchor.number ? { ...chain, anchor } : chain))
    },
    removeChain: async (id: string): Promise<void> => {
      this.chains = this.chains.filter((chain) => chain.id !== id)
    },
    makeRoom: async (): Promise<boolean> => true,
    size: async (): Promise<number> => 0,
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
