import { type FieldError, Problem } from '@trestle/problem/problem'

/** One Problem that lists everything that is wrong with a request. */
export function invalidInput(errors: readonly FieldError[]): Problem {
  return new Problem('invalid', 'InvalidInput', detailOf(errors), { errors })
}

function detailOf([first, ...others]: readonly FieldError[]): string {
  if (!first) return ''
  return `${first.path}: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
}
