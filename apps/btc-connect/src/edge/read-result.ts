/** The result of a read. */
export interface ReadResult<T> {
  readonly body: T
  /** The height of the index at the time. */
  readonly height: number
  /** The length of the whole list, of which the body is a part. */
  readonly total?: number
  /** Whether no later block can change it. */
  readonly final?: boolean
}

// Private, because a token is required. What the next block may change is revalidated each time, which is cheap while it is unchanged.
export const FINAL = 'private, max-age=86400'
const REVALIDATED = 'private, no-cache'

interface Reply {
  headers(values: Record<string, string>): unknown
}

/** Sends the body, and the rest of the result in headers. */
export function sendResult<T>(reply: Reply, { body, height, total, final }: ReadResult<T>): T {
  void reply.headers({
    'cache-control': final ? FINAL : REVALIDATED,
    'x-index-height': String(height),
    ...(total !== undefined && { 'x-total-count': String(total) }),
  })
  return body
}
