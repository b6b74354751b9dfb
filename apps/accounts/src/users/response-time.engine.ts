import { setTimeout as delay } from 'node:timers/promises'

/**
 * Delays the result to a multiple of a time step, so that the duration does not reveal what was found, e.g. whether an address
 * has an account. A failure is not delayed.
 */
export async function endAtWholeSteps<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  await delay(stepMs - ((performance.now() - startedAt) % stepMs))
  return result
}
