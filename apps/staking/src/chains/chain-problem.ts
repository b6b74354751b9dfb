import { Problem, retryAfter } from '@trestle/problem/problem'
import { UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'

/** What it means to a caller that a node cannot be asked, or undefined when the error is about something else. */
export function chainProblem(error: unknown): Problem | undefined {
  if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefusal)) return undefined
  return new Problem('unavailable', 'ChainUnavailable', 'The chain cannot be asked at the moment; try again.', {
    cause: error,
    headers: retryAfter(5),
  })
}
