import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '@trestle/problem/problem'

interface Asking {
  readonly id: string
  readonly headers: IncomingHttpHeaders
}

/** A problem as clients of Insight expect it: `error` repeats the text, and a client that accepts plain text gets only the text. */
export function insightForm(problem: Problem, { id: requestId, headers: { accept = '' } }: Asking): { type: string; body: string } {
  if (acceptsText(accept)) return { type: 'text/plain', body: textOf(problem) }
  const details = { ...problem.toJSON(), error: problem.detail, requestId }
  return { type: 'application/problem+json', body: JSON.stringify(details) }
}

// The text of the libraries of older clients, which those clients compare.
function textOf({ code, detail }: Problem): string {
  return code === 'TokenExpired' ? 'jwt expired' : detail
}

function acceptsText(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...parameters]) => type === 'text/plain' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
}
