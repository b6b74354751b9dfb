/** JSON-RPC parameters as typed: JSON if it is JSON, else text. A number too large for a double is text, not another number. */
export function jsonParams(typed: readonly string[]): unknown[] {
  return typed.map((text) => {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value
    } catch {
      return text
    }
  })
}
