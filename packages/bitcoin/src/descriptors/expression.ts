import { InvalidDescriptor } from './invalid-descriptor.js'

/** `name(argument,...)` of BIP 380. */
export interface Expression {
  readonly name: string
  readonly args: readonly string[]
}

export function expressionOf(text: string): Expression {
  const [, name, inside] = /^([a-z_]+)\((.*)\)$/.exec(text) ?? []
  if (name === undefined || inside === undefined) throw new InvalidDescriptor('it is not of the form name(argument)')
  return { name, args: splitList(inside) }
}

/** The only argument of what takes one. */
export function argumentOf({ name, args: [argument = '', ...others] }: Expression): string {
  if (others.length > 0) throw new InvalidDescriptor(`${name}() takes one argument`)
  return argument
}

/** Splits at the commas that are in no brackets. */
export function splitList(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if ('({'.includes(character)) depth++
    if (')}'.includes(character)) depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  if (depth !== 0) throw new InvalidDescriptor('its brackets do not match')
  return parts
}
