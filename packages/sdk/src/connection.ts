import type { Pacing } from './retry.js'

/** Gives tokens to calls. */
export interface TokenSource {
  current(): Promise<string>
  /** A newer token than this one, which was refused. */
  renew(refused: string): Promise<string>
}

export interface Connection {
  url: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retries: number
  pacing: Pacing
  token?: string | TokenSource
}

export interface Credentials {
  /** A bearer token, or a source of them that is asked again when one is refused. */
  token?: string | TokenSource
  /** For signing in. */
  basic?: { username: string; password: string }
}

/** What can be said of any call, apart from what it is about. */
export interface CallOptions extends Credentials {
  /** Ends it at once, whatever it is doing; the signal's reason is thrown. */
  signal?: AbortSignal
}

export interface RequestInput extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, unknown> | URLSearchParams
  body?: unknown
  headers?: Record<string, string>
}
