import { setTimeout as delay } from 'node:timers/promises'

/** Polls until there is a result; `what` describes it in the error after the timeout. */
export async function eventually<T>(poll: () => Promise<T | undefined> | T | undefined, what: string, timeoutMs = 45_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await poll()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${what}`)
    await delay(20)
  }
}
