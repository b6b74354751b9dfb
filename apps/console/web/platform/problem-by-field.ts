import { Problem } from '@trestle/problem/problem'
import { fieldErrors, problemMessage } from './problem-message.js'

interface ProblemByField {
  /** The message for each field, by its name. */
  readonly fields: Readonly<Record<string, string>>
  /** What concerns the form as a whole. */
  readonly rest?: unknown
}

/** Assigns a problem to the fields of a form. `fieldOf` maps problem codes to fields. */
export function problemByField(error: unknown, fieldOf: Readonly<Record<string, string>> = {}): ProblemByField {
  if (!(error instanceof Problem)) return { fields: {}, rest: error ?? undefined }
  const field = fieldOf[error.code]
  if (field) return { fields: { [field]: problemMessage(error) } }
  const fields = fieldErrors(error)
  return Object.keys(fields).length > 0 ? { fields } : { fields, rest: error }
}
