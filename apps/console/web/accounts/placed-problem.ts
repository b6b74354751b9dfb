import { Problem } from '@trestle/problem/problem'
import { fieldErrors, messageOf } from '../platform/problem-message.js'

interface PlacedProblem {
  /** What each field is told, by its name. */
  readonly fields: Readonly<Record<string, string>>
  /** What is left to be told of the form as a whole. */
  readonly rest?: unknown
}

/** What went wrong, at the fields that it is about. `fieldOf` names the field of a code that is about one. */
export function placedProblem(error: unknown, fieldOf: Readonly<Record<string, string>> = {}): PlacedProblem {
  if (!(error instanceof Problem)) return { fields: {}, rest: error ?? undefined }
  const field = fieldOf[error.code]
  if (field) return { fields: { [field]: messageOf(error) } }
  const fields = fieldErrors(error)
  return Object.keys(fields).length > 0 ? { fields } : { fields, rest: error }
}
