import { setTimeout as delay } from 'node:timers/promises'

/**
 * Lets work end only at whole steps of time since it began: what it found out, such as whether an address has an account,
 * cannot be told from how long it took. Work that fails ends at once.
 */
export async function atWholeSteps<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  await delay(stepMs - ((performance.now() - startedAt) % stepMs))
  return result
}
