import { type Description, memberNames, variantsOf } from './description.js'

/** What a value must be: "must be a whole number from 1 to 100, such as 10". */
export function requirementOf(description: Description): string {
  return `must ${clauseOf(description)}`
}

function clauseOf(description: Description): string {
  const { must, const: only, enum: values, type } = description
  if (typeof must === 'string') return must.replace(/^must /, '')
  if (variantsOf(description).length > 0) return [...new Set(variantsOf(description).map(clauseOf))].join(', or ')
  if (only !== undefined) return `be ${JSON.stringify(only)}`
  if (values) return `be one of ${listOf(values.map((value) => JSON.stringify(value)))}`
  return (typeof type === 'string' && CLAUSES[type]?.(description)) || 'be another value'
}

const CLAUSES: Readonly<Record<string, (description: Description) => string>> = {
  string: textClause,
  integer: (description) => `be a whole number${rangeOf(description)}`,
  number: (description) => `be a number${rangeOf(description)}`,
  boolean: () => 'be true or false',
  null: () => 'be null',
  array: arrayClause,
  object: (description) => {
    const names = memberNames(description)
    return names.length > 0 ? `be an object with ${listOf(names.map(quoted))}` : 'be an object'
  },
}

/** Formats of strings, each with an example. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date, such as "2026-01-31"',
  'date-time': 'a time in the form of RFC 3339, such as "2026-01-31T12:00:00Z"',
  uuid: 'a UUID, such as "123e4567-e89b-42d3-a456-426614174000"',
  ipv4: 'an IPv4 address, such as "192.0.2.7"',
  ipv6: 'an IPv6 address, such as "2001:db8::7"',
  cidrv4: 'a range of IPv4 addresses, such as "192.0.2.0/24"',
  cidrv6: 'a range of IPv6 addresses, such as "2001:db8::/32"',
  email: 'an e-mail address, such as "ada@example.com"',
  uri: 'a URL, such as "https://example.com/"',
}

function textClause({ format, examples, minLength, maxLength, pattern }: Description): string {
  const known = format && FORMATS[format]
  if (known) return `be ${known}`
  const length = countOf('character', minLength, maxLength)
  const form = pattern ? ` that matches ${pattern}` : ''
  const example = Array.isArray(examples) && examples.length > 0 ? `, such as ${JSON.stringify(examples[0])}` : ''
  return `be a string${length}${form}${example}`
}

function arrayClause({ items, minItems, maxItems }: Description): string {
  const each = typeof items === 'object' && !Array.isArray(items) ? `, each of which must ${clauseOf(items)}` : ''
  return `be an array${countOf('value', minItems, maxItems) || ' of values'}${each}`
}

function countOf(unit: string, min = 0, max = Number.POSITIVE_INFINITY): string {
  const units = (count: number) => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (min === max) return ` of ${units(min)}`
  if (Number.isFinite(max)) return min > 0 ? ` of ${min} to ${units(max)}` : ` of at most ${units(max)}`
  return min > 0 ? ` of at least ${units(min)}` : ''
}

const EXAMPLE = 10

function rangeOf({ minimum, maximum }: Description): string {
  // The bounds of exact numbers are no rule of ours.
  const min = Number.isSafeInteger(minimum) && minimum !== Number.MIN_SAFE_INTEGER ? minimum : undefined
  const max = Number.isSafeInteger(maximum) && maximum !== Number.MAX_SAFE_INTEGER ? maximum : undefined
  const example = `, such as ${Math.min(Math.max(EXAMPLE, min ?? EXAMPLE), max ?? EXAMPLE)}`
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}${example}`
  if (min !== undefined) return ` of at least ${min}${example}`
  return max === undefined ? example : ` of at most ${max}${example}`
}

export function quoted(name: string): string {
  return `"${name}"`
}

/** `a, b and c`. */
export function listOf(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
