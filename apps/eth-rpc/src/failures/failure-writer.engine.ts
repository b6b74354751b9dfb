import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { FailureLog } from './failure-log.engine.js'
import { type FailureBatch, FailuresRepository } from './failures.repository.js'

/** A project with so many new samples is to be trimmed. */
const TRIM_AFTER = 50
const MAX_UNTRIMMED_PROJECTS = 1_000

/** Writes what was noted once, however often a write has to be repeated. */
@Injectable()
export class FailureWriter {
  readonly #process = randomUUID()
  #seq = 0
  /** Being written: its number and its rows stay as they are until it is known to be written. */
  #batch: FailureBatch | undefined
  /** How many samples each project got since it was trimmed. */
  #untrimmed = new Map<number, number>()

  constructor(
    private readonly log: FailureLog,
    private readonly failures: FailuresRepository,
  ) {}

  async write(): Promise<void> {
    const { book } = this.log
    book.beginMoment()
    while (this.#batch || !book.isEmpty) {
      this.#batch ??= { process: this.#process, seq: ++this.#seq, ...book.take() }
      await this.failures.write(this.#batch)
      for (const { project } of this.#batch.samples) this.#untrimmed.set(project, (this.#untrimmed.get(project) ?? 0) + 1)
      this.#batch = undefined
    }
    await this.trim()
  }

  private async trim(): Promise<void> {
    const isFull = this.#untrimmed.size > MAX_UNTRIMMED_PROJECTS
    const due = [...this.#untrimmed].flatMap(([project, samples]) => (isFull || samples >= TRIM_AFTER ? [project] : []))
    if (due.length === 0) return
    await this.failures.trim(due)
    for (const project of due) this.#untrimmed.delete(project)
  }
}
