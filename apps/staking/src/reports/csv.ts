// A spreadsheet would run a field that begins like this, also in quotes; an apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r]/
const SPECIAL = /[",\r\n]/

export type Field = string | number | boolean | bigint | null | undefined

/** A line of a table (RFC 4180), with its end. */
export function csvLine(fields: readonly Field[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/** Numbers are what they are; a text that looks like a formula is made harmless. */
function csvField(field: Field): string {
  if (field === null || field === undefined) return ''
  if (typeof field !== 'string') return String(field)
  const isFormula = FORMULA.test(field)
  const text = isFormula ? `'${field}` : field
  return isFormula || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
