import { EXIT, Failure } from '../failure/failure.js'

/** A whole number that somebody typed. */
export function integerOf(text: string, what: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text)
  if (/^\d{1,16}$/.test(text) && number >= min && number <= max) return number
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`
  throw new Failure(EXIT.usage, `${what} cannot be "${text}": it must be an integer ${bounds}.`)
}
