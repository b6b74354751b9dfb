/** What a read found. */
export interface ReadResult<T> {
  readonly body: T
  /** The height of the index it was read at. */
  readonly height: number
  /** How many there are, of which the body holds some. */
  readonly total?: number
  /** Whether no block to come will change it. */
  readonly final?: boolean
}

// Private, for a token was wanted. What the next block may change is asked for again each time, and is cheap while it stands.
export const FINAL = 'private, max-age=86400'
const UNTIL_ASKED = 'private, no-cache'

interface Reply {
  headers(values: Record<string, string>): unknown
}

/** Says in headers what the body does not. */
export function sendResult<T>(reply: Reply, { body, height, total, final }: ReadResult<T>): T {
  void reply.headers({
    'cache-control': final ? FINAL : UNTIL_ASKED,
    'x-index-height': String(height),
    ...(total !== undefined && { 'x-total-count': String(total) }),
  })
  return body
}
