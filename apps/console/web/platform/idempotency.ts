/** A key for one creation: however often the request is sent, it has an effect once. */
export function idempotencyKey(): string {
  // `randomUUID` exists on https only.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
