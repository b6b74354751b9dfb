const EXPOSED = 'x-request-id, retry-after'
// Clients of this API send no cookies: any page may ask, and a project's own list decides what is answered.
const ANY = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

/** What lets a page read the answer, also when it is a refusal. */
export function corsHeaders(origin: string | undefined, origins?: ReadonlySet<string>): Record<string, string> {
  if (!origins) return ANY
  const allowed = origin !== undefined && origins.has(origin)
  return { vary: 'origin', ...(allowed && { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }) }
}

/** For the question that browsers ask before. */
export function preflightHeaders(origin: string | undefined, origins?: ReadonlySet<string>): Record<string, string> {
  return {
    ...corsHeaders(origin, origins),
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, authorization, x-request-id',
    'access-control-max-age': '7200',
  }
}
