import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'

const ProblemBody = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

export type ReceivedReply = Pick<Response, 'status' | 'headers'> & { text: string }

/** The reply as sent, with members that this version does not know, if it fits its contract; else a `Problem`. */
export function replyOf({ reply, replyType, method, path }: EndpointSpec, received: ReceivedReply): unknown {
  const { status, text } = received
  if (status >= 400) throw problemOf(received)
  // Some endpoints also reply with a table, on request.
  const isJson = /^application\/json\b/i.test(received.headers.get('content-type') ?? '')
  if (replyType && !(reply && isJson)) return text
  if (!reply) return undefined
  return validated(reply, text, `The reply of ${method} ${path}`)
}

/** The JSON as sent, if it fits its contract. */
export function validated(schema: z.ZodType, text: string, what: string): unknown {
  const value = parseJsonBody(text)
  const checked = schema.safeParse(value)
  if (checked.success) return value
  throw new Problem('bad-upstream', 'InvalidReply', `${what} is not what its contract says.`, { cause: checked.error })
}

/** The query of the next page in `Link: <...>; rel="next"` (RFC 8288); only the query, so that no link leads a token to another host. */
export function nextQuery({ headers }: ReceivedReply): URLSearchParams | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters)
    if ((relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/).includes('next'))
      return new URL(target, 'http://any').searchParams
  }
  return undefined
}

/** Whether a 403 is about an expired token: the staking area says so only in its text. */
export function saysExpired(received: ReceivedReply): boolean {
  return /\btoken\b.*\bexpired\b/i.test(problemOf(received).detail)
}

export function problemOf({ status, headers, text }: ReceivedReply): Problem {
  const body = ProblemBody.safeParse(parseJsonBody(text))
  const kept = ['retry-after', 'www-authenticate'].flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : []))
  const extras = { headers: Object.fromEntries(kept) as Record<string, string> }
  if (!body.success) return new Problem(kindOf(status), 'UnexpectedAnswer', `The answer was ${status} and no problem document.`, extras)
  const { code, detail, errors, ...extensions } = body.data
  return new Problem(kindOf(status), code, detail, { ...extras, errors, extensions })
}

export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
