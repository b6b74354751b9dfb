import type { AnswerStoreRepository, SealedAnswer } from './answer-store.repository.js'
import type { AnswerStoreHealth } from './answer-store-health.engine.js'

/** So many queries at once: the pool is there for projects and usage, too. What is asked meanwhile goes into the next one. */
const MAX_QUERIES = 2
const MAX_NAMES = 256
/** A node is asked after that. Many times what a read takes. */
const MAX_READ_MS = 50

/** Why nothing is known of a stored answer. */
type ReadProblem = 'slow' | 'failed'

type Found = SealedAnswer | ReadProblem | undefined

interface Batch {
  readonly lookups: Map<string, PromiseWithResolvers<Found>>
  readonly timer: NodeJS.Timeout
  isSettled: boolean
}

/** Reads of stored answers: many in one query, and none waits for longer than a call can. */
export class StoredReads {
  private open?: Batch
  private readonly full: Batch[] = []
  private running = 0

  constructor(
    private readonly repository: Pick<AnswerStoreRepository, 'list'>,
    private readonly health: Pick<AnswerStoreHealth, 'troubled' | 'succeeded'>,
    private readonly maxReadMs = MAX_READ_MS,
  ) {}

  /** Undefined where there is none. Never rejects. */
  find(name: string): Promise<Found> {
    const batch = this.open ?? this.begin()
    const lookup = batch.lookups.get(name) ?? Promise.withResolvers<Found>()
    batch.lookups.set(name, lookup)
    if (batch.lookups.size === MAX_NAMES) this.close(batch)
    return lookup.promise
  }

  private begin(): Batch {
    const batch: Batch = { lookups: new Map(), isSettled: false, timer: setTimeout(() => this.expireSoon(batch), this.maxReadMs) }
    this.open = batch
    setImmediate(() => this.send())
    return batch
  }

  private close(batch: Batch): void {
    this.open = undefined
    this.full.push(batch)
  }

  private send(): void {
    while (this.running < MAX_QUERIES) {
      if (this.full.length === 0 && this.open) this.close(this.open)
      const batch = this.full.shift()
      if (!batch) return
      if (batch.lookups.size > 0) void this.read(batch)
    }
  }

  private async read(batch: Batch): Promise<void> {
    const { lookups, timer } = batch
    this.running++
    try {
      const found = await this.repository.list([...lookups.keys()])
      if (lookups.size > 0) this.health.succeeded()
      for (const [name, { resolve }] of lookups) resolve(found.get(name))
    } catch (error) {
      this.health.troubled('failed', error)
      for (const { resolve } of lookups.values()) resolve('failed')
    }
    batch.isSettled = true
    clearTimeout(timer)
    this.running--
    this.send()
  }

  /** What came while this process was busy is read first. */
  private expireSoon(batch: Batch): void {
    setImmediate(() => {
      if (!batch.isSettled) this.expire(batch)
    })
  }

  private expire(batch: Batch): void {
    if (batch === this.open) this.close(batch)
    this.health.troubled('slow')
    for (const { resolve } of batch.lookups.values()) resolve('slow')
    batch.lookups.clear()
  }
}
