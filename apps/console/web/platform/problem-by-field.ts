import { Problem } from '@trestle/problem/problem'
import { fieldErrors, problemMessage } from './problem-message.js'

interface ProblemByField {
  /** What each field is told, by its name. */
  readonly fields: Readonly<Record<string, string>>
  /** What is left to be told of the form as a whole. */
  readonly rest?: unknown
}

/** What went wrong, at the fields that it is about. `fieldOf` names the field of a code that is about one. */
export function problemByField(error: unknown, fieldOf: Readonly<Record<string, string>> = {}): ProblemByField {
  if (!(error instanceof Problem)) return { fields: {}, rest: error ?? undefined }
  const field = fieldOf[error.code]
  if (field) return { fields: { [field]: problemMessage(error) } }
  const fields = fieldErrors(error)
  return Object.keys(fields).length > 0 ? { fields } : { fields, rest: error }
}
