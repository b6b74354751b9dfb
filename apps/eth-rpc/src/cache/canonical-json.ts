import { invalidParams } from '../framing/rpc-error.js'

const HEX = /^0x[0-9a-fA-F]*$/
// Needs no escape.
const PLAIN = /^\w*$/
// Deeper than any call of the specification.
const MAX_DEPTH = 64

/**
 * The JSON of params, the same for all that mean the same: members in order, hexadecimal values in lower case. Names of members stay as
 * they are, and so does other text: two members may differ in case only, and what is not hexadecimal may mean anything.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'number') return numberOf(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth > MAX_DEPTH) throw invalidParams('params nested too deeply')
  return Array.isArray(value) ? arrayOf(value, depth + 1) : objectOf(value as Record<string, unknown>, depth + 1)
}

function textOf(text: string): string {
  return HEX.test(text) ? `"${text.toLowerCase()}"` : JSON.stringify(text)
}

/** A number that JSON.parse cannot represent would be sent on as another. */
function numberOf(number: number): string {
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)
  if (!isExact) throw invalidParams('a number beyond 2^53: numbers are written as 0x strings')
  return number === 0 ? '0' : String(number)
}

function arrayOf(items: readonly unknown[], depth: number): string {
  let json = '['
  for (let index = 0; index < items.length; index++) json += (index === 0 ? '' : ',') + canonicalJson(items[index], depth)
  return `${json}]`
}

function objectOf(members: Record<string, unknown>, depth: number): string {
  const names = Object.keys(members)
  if (names.length > 1) names.sort()
  let json = '{'
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    json += `${index === 0 ? '' : ','}${PLAIN.test(name) ? `"${name}"` : JSON.stringify(name)}:${canonicalJson(members[name], depth)}`
  }
  return `${json}}`
}
