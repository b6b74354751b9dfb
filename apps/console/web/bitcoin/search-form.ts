export interface SearchForm {
  readonly text: string
}

export type SearchTerm = { kind: 'height' | 'hash' | 'address'; text: string }

/** The input may be a height, the hash of a block or a transaction, or else an address. */
export function searchTerm(form: SearchForm): SearchTerm | undefined {
  const text = form.text.trim().replace(/^(?:bitcoin|litecoin):([^?]+).*$/i, '$1')
  if (text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return { kind: 'height', text: String(Number(text)) }
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', text: text.toLowerCase() }
  return { kind: 'address', text }
}
