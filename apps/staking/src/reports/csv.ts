// A spreadsheet evaluates a field that begins like this, even in quotes; an apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r]/
const SPECIAL = /[",\r\n]/

export type Field = string | number | boolean | bigint | null | undefined

/** A line of CSV (RFC 4180) with its line ending. */
export function csvLine(fields: readonly Field[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/** Escapes text that a spreadsheet would evaluate; numbers need no escaping. */
function csvField(field: Field): string {
  if (field === null || field === undefined) return ''
  if (typeof field !== 'string') return String(field)
  const isFormula = FORMULA.test(field)
  const text = isFormula ? `'${field}` : field
  return isFormula || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
