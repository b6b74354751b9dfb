import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'

/** When and from which address a key was used. */
export interface ProjectKeyUse {
  readonly project: number
  readonly number: number
  readonly at: Date
  readonly from: string
}

/** Where a call came from; behind proxies it costs time to find out. */
interface Arrival {
  address(): string
}

/** While Postgres is away the uses of so many keys are kept. */
const MAX_KEYS = 20_000

/** The uses of keys that are not written yet: of each key the first since the last time, so that a call costs one comparison. */
@Injectable()
export class KeyUseBook {
  #uses = new Map<string, ProjectKeyUse>()
  /** How often the uses were taken. */
  round = 0

  constructor(private readonly clock: Clock) {}

  meterOf(project: number, number: number): KeyMeter {
    return new KeyMeter(this, { project, number })
  }

  add(use: Omit<ProjectKeyUse, 'at'>): void {
    this.keep({ ...use, at: this.clock.now() })
  }

  take(): ProjectKeyUse[] {
    this.round++
    const uses = [...this.#uses.values()]
    this.#uses = new Map()
    return uses
  }

  /** They could not be written. Newer ones stay. */
  putBack(uses: readonly ProjectKeyUse[]): void {
    for (const use of uses) if (!this.#uses.has(nameOf(use))) this.keep(use)
  }

  private keep(use: ProjectKeyUse): void {
    const key = nameOf(use)
    if (this.#uses.size < MAX_KEYS || this.#uses.has(key)) this.#uses.set(key, use)
  }
}

function nameOf({ project, number }: Pick<ProjectKeyUse, 'project' | 'number'>): string {
  return `${project} ${number}`
}

/** Of one key. */
export class KeyMeter {
  #notedIn = -1

  constructor(
    private readonly book: KeyUseBook,
    private readonly key: Pick<ProjectKeyUse, 'project' | 'number'>,
  ) {}

  note(arrival: Arrival): void {
    if (this.#notedIn === this.book.round) return
    this.#notedIn = this.book.round
    this.book.add({ ...this.key, from: arrival.address() })
  }
}
