import type { Pacing } from './retry.js'

/** Gives tokens to calls. */
export interface TokenSource {
  current(): Promise<string>
  /** A newer token than this refused one. */
  renew(refused: string): Promise<string>
}

/**
 * Proves a second factor again where a call demands a fresh proof, and returns the newer token; or nothing, where somebody else adds it.
 * The call is then repeated.
 */
export type StepUp = () => Promise<string | undefined>

/** A request that a second person of an organization has to approve. */
export interface UnapprovedRequest {
  readonly organizationId: string
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Of the whole platform, with the query. */
  readonly path: string
  readonly body?: Record<string, unknown>
}

/**
 * Gets the approval that a call demands (problem `ApprovalRequired`), and returns its token, with which the call is repeated; or undefined where
 * there is none yet.
 */
export type Approve = (request: UnapprovedRequest) => Promise<string | undefined>

export interface Connection {
  url: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retries: number
  pacing: Pacing
  stepUp?: StepUp
  approve?: Approve
  /** The prefix of this deployment's paths at the ingress. */
  basePath: string
  token?: string | TokenSource
  organization?: string
}

export interface Credentials {
  /** A bearer token, or a source of them that renews a refused one. */
  token?: string | TokenSource
  /** For signing in. */
  basic?: { username: string; password: string }
}

/** Options of every call. */
export interface CallOptions extends Credentials {
  /** Ends the call at once; the signal's reason is thrown. */
  signal?: AbortSignal
  /** The token of a second person's approval, where the organization demands one. */
  approval?: string
  /** Called while a proof of work is computed, with the chance, from 0 to 1, that it would have been found by now. */
  onProof?: (share: number) => void
}

export interface RequestInput extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, unknown> | URLSearchParams
  body?: unknown
  headers?: Record<string, string>
}
