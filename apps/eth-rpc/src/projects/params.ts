/** The params of a call, before anybody has checked their shape. */
export type Params = readonly unknown[]

/**
 * A member, if only one can be meant: geth and every other node in Go reads names without regard to case, and takes the last of
 * `to` and `To`.
 */
export function member(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined
  return Object.keys(value).some((key) => key !== name && fold(key) === fold(name)) ? undefined : value[name]
}

/** Whether a node may read a member of this name. */
export function hasMember(value: Record<string, unknown>, name: string): boolean {
  return Object.keys(value).some((key) => fold(key) === fold(name))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As Go's encoding/json compares names: by simple case folding, in which U+017F is an S and U+212A a K. */
function fold(name: string): string {
  return name.toLowerCase().toUpperCase()
}
