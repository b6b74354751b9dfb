import { type FailureSample, OTHER_CODE } from './failed-call.js'

/** How many calls failed, as far as it is not written yet. */
export interface FailureCount {
  readonly project: number
  /** The start of the hour, in epoch milliseconds. */
  readonly hour: number
  readonly method: string
  readonly code: number
  failures: number
}

/** What is written at once. */
export interface FailureRows {
  readonly counts: readonly FailureCount[]
  readonly samples: readonly FailureSample[]
}

interface Bounds {
  /** Rows that wait to be written. */
  readonly counts: number
  readonly samples: number
  /** Different codes that a project is counted by in a moment. */
  readonly codes: number
  /** Samples of a project in a moment: in all, and of one method and code. */
  readonly perProject: number
  readonly perKind: number
  /** Rows of one write. */
  readonly countsAtOnce: number
  readonly samplesAtOnce: number
}

export const USUAL_BOUNDS: Bounds = {
  counts: 50_000,
  samples: 1_000,
  codes: 32,
  perProject: 20,
  perKind: 5,
  countsAtOnce: 5_000,
  samplesAtOnce: 200,
}

/** What was kept of a project since the moment began. */
interface Moment {
  readonly codes: Set<number>
  readonly kinds: Map<string, number>
  samples: number
}

/** The failures of a process that are not written yet. A flood, and a database that is away, cost no more than the bounds. */
export class FailureBook {
  lostCounts = 0
  lostSamples = 0
  readonly #counts = new Map<string, FailureCount>()
  #samples: FailureSample[] = []
  #moments = new Map<number, Moment>()

  constructor(private readonly bounds = USUAL_BOUNDS) {}

  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#samples.length === 0
  }

  /** Returns the code that it was counted under. */
  count({ project, hour, method, code: given }: Omit<FailureCount, 'failures'>): number {
    const code = this.boundedCode(project, given)
    const key = `${project} ${hour} ${method} ${code}`
    const known = this.#counts.get(key)
    if (known) known.failures++
    else if (this.#counts.size < this.bounds.counts) this.#counts.set(key, { project, hour, method, code, failures: 1 })
    else this.lostCounts++
    return code
  }

  /** Whether a sample of such a failure is to be made; it counts as made. */
  admitsSample(project: number, method: string, code: number): boolean {
    const moment = this.momentOf(project)
    const kind = `${method} ${code}`
    const ofKind = moment.kinds.get(kind) ?? 0
    if (moment.samples >= this.bounds.perProject || ofKind >= this.bounds.perKind) return false
    if (this.#samples.length >= this.bounds.samples) {
      this.lostSamples++
      return false
    }
    moment.samples++
    moment.kinds.set(kind, ofKind + 1)
    return true
  }

  addSample(sample: FailureSample): void {
    this.#samples.push(sample)
  }

  /** From here on projects may have samples again. */
  beginMoment(): void {
    this.#moments = new Map()
  }

  take(): FailureRows {
    const counts: FailureCount[] = []
    for (const [key, count] of this.#counts) {
      if (counts.length === this.bounds.countsAtOnce) break
      counts.push(count)
      this.#counts.delete(key)
    }
    const samples = this.#samples.slice(0, this.bounds.samplesAtOnce)
    this.#samples = this.#samples.slice(samples.length)
    return { counts, samples }
  }

  private boundedCode(project: number, code: number): number {
    const { codes } = this.momentOf(project)
    if (codes.has(code)) return code
    if (codes.size >= this.bounds.codes) return OTHER_CODE
    codes.add(code)
    return code
  }

  private momentOf(project: number): Moment {
    const known = this.#moments.get(project)
    if (known) return known
    const moment = { codes: new Set<number>(), kinds: new Map<string, number>(), samples: 0 }
    this.#moments.set(project, moment)
    return moment
  }
}
