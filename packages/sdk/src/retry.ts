import { type EndpointSpec, recordingOf } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import type { ReceivedReply } from './answer.js'

/** Randomness and delays, which tests replace. */
export interface Pacing {
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

interface RetryLimits {
  /** Attempts after the first. */
  retries: number
  /** What is left of the time limit of all attempts. */
  leftMs(): number
  signal: AbortSignal
  pacing: Pacing
}

/** The longest delay after the first failure, and after any. */
const FIRST_BACK_OFF_MS = 200
const MAX_BACK_OFF_MS = 5_000

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])

/** Whether a call is idempotent: by its method (RFC 9110 section 9.2.2), by its key, or because it changes nothing. */
export function isRepeatable(endpoint: EndpointSpec, headers: Record<string, string> = {}): boolean {
  const { method } = endpoint
  return ['GET', 'PUT', 'DELETE'].includes(method) || 'idempotency-key' in headers || recordingOf(endpoint) !== 'durable'
}

/** Retries after temporary failures, unless the delay that the platform asks for exceeds the time left. */
export async function withRetries<R extends ReceivedReply>(
  attempt: () => Promise<R>,
  { retries, leftMs, signal, pacing }: RetryLimits,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    const outcome = await attempt().catch(asProblem)
    const waitMs = Math.max(retryAfterMs(outcome) ?? 0, backOffMs(tries, pacing.random))
    const isWorthIt = RETRYABLE_STATUSES.has(outcome.status) && tries <= retries && waitMs < leftMs()
    if (!isWorthIt) return settled(outcome)
    await pacing.sleep(waitMs, signal)
  }
}

/** Exponential, with full jitter: calls that failed together do not return together. */
export function backOffMs(tries: number, random: () => number): number {
  return Math.floor(random() * Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (tries - 1)))
}

/** `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date, which is compared with the response's own `Date` if it has one. */
export function retryAfterMs(outcome: ReceivedReply | Problem, now: number = Date.now()): number | undefined {
  const header = (name: string) => (outcome instanceof Problem ? outcome.headers[name] : outcome.headers.get(name)) ?? ''
  const text = header('retry-after')
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const waitMs = Date.parse(text) - (Date.parse(header('date')) || now)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

function settled<R extends ReceivedReply>(outcome: R | Problem): R {
  if (outcome instanceof Problem) throw outcome
  return outcome
}
