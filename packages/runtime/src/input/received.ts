import { isSecretName } from '../secret-names.js'

const MAX_SHOWN = 40

/** A value in a message to its sender: short, and only its type if it may be a secret. */
export function receivedText(value: unknown, path: readonly PropertyKey[]): string {
  if (typeof value === 'string') return textOf(value, path)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return isHidden(path) ? 'a number' : `the number ${value}`
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length} value${value.length === 1 ? '' : 's'}`
  return 'an object'
}

function textOf(text: string, path: readonly PropertyKey[]): string {
  if (text === '') return 'an empty string'
  if (text.trim() === '') return 'only spaces'
  if (isHidden(path)) return 'a string'
  if (text.length > MAX_SHOWN) return `a string of ${text.length} characters`
  return path[0] === 'body' ? `the string ${JSON.stringify(text)}` : JSON.stringify(text)
}

/** A whole body that is no object may be anything, a password too. */
function isHidden(path: readonly PropertyKey[]): boolean {
  return path.length === 1 || path.some((name) => isSecretName(String(name)))
}
