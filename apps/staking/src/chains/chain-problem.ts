import { Problem, retryAfter } from '@trestle/problem/problem'
import { UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'

/** The problem for callers if a node cannot be reached; undefined for any other error. */
export function chainProblem(error: unknown): Problem | undefined {
  if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefusal)) return undefined
  return new Problem('unavailable', 'ChainUnavailable', 'The nodes of this chain do not answer at the moment; try again.', {
    cause: error,
    headers: retryAfter(5),
  })
}
