import { Problem } from '@trestle/problem/problem'
import { partsTexts } from '../texts/parts.js'

/** The message for the user: the platform's, which says what to do, unless the page has a better one. */
export function problemMessage(error: unknown): string {
  if (!(error instanceof Problem)) return partsTexts.unexpected
  const known = partsTexts.problems[error.code]
  if (known) return known
  // The detail already names the first of them.
  const unsaid = (error.errors ?? []).filter(({ path, message }) => !error.detail.includes(`${path}: ${message}`))
  const fields = unsaid.map(({ path, message }) => `${path} ${message}`)
  return [error.detail, ...fields].join(' ')
}

/** The message for each field of a form, by its name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof Problem)) return {}
  return Object.fromEntries(
    (error.errors ?? []).map(({ path, message }) => [
      path
        .split(/[./[\]]/)
        .filter((name) => !/^\d*$/.test(name))
        .at(-1) ?? path,
      message,
    ]),
  )
}

export function problemRequestId(error: unknown): string | undefined {
  return error instanceof Problem ? error.headers['x-request-id'] : undefined
}
