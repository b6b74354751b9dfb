import { Problem } from '@trestle/problem/problem'
import { partsTexts } from '../texts/parts.js'

/** What a person is told: the platform's own words, which say what to do, unless the page knows better ones. */
export function problemMessage(error: unknown): string {
  if (!(error instanceof Problem)) return partsTexts.unexpected
  const known = partsTexts.problems[error.code]
  if (known) return known
  // The platform names the first of them in its words already.
  const unsaid = (error.errors ?? []).filter(({ path, message }) => !error.detail.includes(`${path}: ${message}`))
  const fields = unsaid.map(({ path, message }) => `${path} ${message}`)
  return [error.detail, ...fields].join(' ')
}

/** What each field of a form is told, by its name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof Problem)) return {}
  return Object.fromEntries((error.errors ?? []).map(({ path, message }) => [path.split(/[./]/).filter(Boolean).at(-1) ?? path, message]))
}

export function problemRequestId(error: unknown): string | undefined {
  return error instanceof Problem ? error.headers['x-request-id'] : undefined
}
