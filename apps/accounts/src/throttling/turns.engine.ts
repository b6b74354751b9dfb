import { Problem, retryAfter } from '@trestle/problem/problem'

/** Hashing has at most as many slots: more at once would only wait further on, each with a connection to Postgres. */
const AT_ONCE = 3
const MAX_WAITING = 500

/** Runs a few tasks of each network, or user, at once; its others wait, and nobody else's. */
export class Turns {
  private readonly lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>()

  /** Problem `Busy` when very many of the same are waiting. */
  async run<T>(turnOf: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(turnOf) ?? { running: 0, waiting: [] }
    this.lines.set(turnOf, line)
    if (line.running < AT_ONCE) line.running++
    else if (line.waiting.length >= MAX_WAITING) throw busy()
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      // The next one takes over the place.
      if (next) next()
      else if (--line.running === 0) this.lines.delete(turnOf)
    }
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Busy', 'Too many requests like this are waiting; try again.', { headers: retryAfter(1) })
}
