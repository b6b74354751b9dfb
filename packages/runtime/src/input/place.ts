import { type Description, memberDescription } from './description.js'

/** A value of the input, and what it should be. The first name of the path is the part of the request. */
export interface InputPlace {
  readonly path: readonly PropertyKey[]
  readonly description: Description
  readonly value: unknown
  /** The union that the description is one branch of. */
  readonly union?: Description
}

export function placeWithin(place: InputPlace, names: readonly PropertyKey[]): InputPlace {
  return names.reduce<InputPlace>(
    ({ path, description, value }, name) => ({
      path: [...path, name],
      description: memberDescription(description, name),
      value: memberValue(value, name),
    }),
    place,
  )
}

function memberValue(value: unknown, name: PropertyKey): unknown {
  return hasMembers(value) && Object.hasOwn(value, name) ? value[String(name)] : undefined
}

/** Of an object or an array. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const MAX_NAME = 64

/** `body.limits.allowedIps[0]`. */
export function pathText([part, ...names]: readonly PropertyKey[]): string {
  return names.reduce<string>(
    (path, name) => (typeof name === 'number' ? `${path}[${name}]` : `${path}.${shortName(String(name))}`),
    String(part),
  )
}

/** A name that a client made up may be of any length. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...`.toWellFormed() : name
}
