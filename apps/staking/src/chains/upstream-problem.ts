import { Problem, retryAfter } from '@trestle/problem/problem'
import { UpstreamError } from './upstream-errors.js'

/** The problem for callers if a chain's nodes fail; undefined for any other error. */
export function chainProblem(error: unknown): Problem | undefined {
  return upstreamProblem(error, 'ChainUnavailable', 'The nodes of this chain do not answer at the moment; try again.')
}

/** The same for the signer of a region. */
export function signerProblem(error: unknown): Problem | undefined {
  return upstreamProblem(error, 'SignerUnavailable', "The region's validator client does not answer at the moment; try again.")
}

function upstreamProblem(cause: unknown, code: string, detail: string): Problem | undefined {
  return cause instanceof UpstreamError ? new Problem('unavailable', code, detail, { cause, headers: retryAfter(5) }) : undefined
}
