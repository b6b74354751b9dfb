import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until there is an answer; `what` says what was waited for in vain. */
export async function eventually<T>(ask: () => Promise<T | undefined> | T | undefined, what: string, withinMs = 45_000): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    await delay(20)
  }
}
