/** A key of its own for one thing to be made: however often the request is sent, it is made once. */
export function idempotencyKey(): string {
  // `randomUUID` is there on https alone.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
