/** Parameters of JSON-RPC as somebody types them: JSON where it is JSON, else text. */
export function jsonParams(typed: readonly string[]): unknown[] {
  return typed.map((text) => {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  })
}
