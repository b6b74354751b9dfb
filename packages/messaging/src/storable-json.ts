// JSON.stringify writes a surrogate as an escape only where its other half is missing.
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** JSON text that Postgres takes as jsonb: NUL and lone surrogates, which it refuses, become U+FFFD. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE, '$1\ufffd')
}
