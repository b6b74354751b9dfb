import { Problem, retryAfter } from '@trestle/problem/problem'

const MAX_WAITING = 500
/** As long as for a connection, and then for a row. */
const MAX_WAIT_MS = 5_000

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** Runs a few tasks of the same name at once; the others wait here, where they hold no connection to Postgres, and keep nobody else waiting. */
export class Turns {
  private readonly lines = new Map<string, Line>()

  constructor(
    private readonly atOnce: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** Problem `Busy` when very many of the same are waiting, or this one has waited for too long. */
  async run<T>(turnOf: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(turnOf) ?? { running: 0, waiting: [] }
    this.lines.set(turnOf, line)
    if (line.running < this.atOnce) line.running++
    else if (line.waiting.length >= MAX_WAITING) throw busy()
    else await this.wait(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      // The next one takes over the place.
      if (next) next()
      else if (--line.running === 0) this.lines.delete(turnOf)
    }
  }

  private wait({ waiting }: Line): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push(resolve)
    if (this.maxWaitMs === Number.POSITIVE_INFINITY) return promise
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(busy())
    }, this.maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Busy', 'Too many requests like this are waiting; try again.', { headers: retryAfter(1) })
}
