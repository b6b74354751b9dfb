import type { ExactNumber } from '@trestle/contracts/endpoint'
import { exactNumber } from './exact-number.js'

/** A number without an exponent: 1e-8 is 0.00000001. */
export function withoutExponent(value: number): ExactNumber {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return exactNumber(mantissa)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(mantissa) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return exactNumber(`${sign}0.${'0'.repeat(-point)}${digits}`)
  return exactNumber(sign + digits.padEnd(point, '0'))
}
