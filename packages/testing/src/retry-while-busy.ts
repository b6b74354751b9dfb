import { setTimeout as delay } from 'node:timers/promises'

const LIMIT_MS = 45_000
const PAUSE_MS = 20

/** Repeats a request while the answer is 503: a busy machine cannot serve everything that a test sends at once. The last answer counts. */
export async function retryWhileBusy<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  const deadline = performance.now() + LIMIT_MS
  for (;;) {
    const answer = await send()
    if (answer.status !== 503 || performance.now() > deadline) return answer
    await delay(PAUSE_MS)
  }
}
