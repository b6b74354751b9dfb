const EXPOSED = ['access-control-expose-headers', 'x-request-id, retry-after'] as const
// Clients of this API send no cookies: any page may ask, and a project's own list decides what is answered.
const ANY = ['access-control-allow-origin', '*', ...EXPOSED] as const

/** Lets a page read the answer, also when it is a refusal. Names and values in turn. */
export function corsHeaders(origin: string | undefined, origins?: ReadonlySet<string>): readonly string[] {
  if (!origins) return ANY
  const allowed = origin !== undefined && origins.has(origin) ? ['access-control-allow-origin', origin, ...EXPOSED] : []
  return ['vary', 'origin', ...allowed]
}

/** For the request that browsers send first. */
export function preflightHeaders(origin: string | undefined, origins?: ReadonlySet<string>): readonly string[] {
  const allowed = [
    'access-control-allow-methods',
    'POST',
    'access-control-allow-headers',
    'content-type, authorization, x-request-id, trestle-quorum',
  ]
  return [...corsHeaders(origin, origins), ...allowed, 'access-control-max-age', '7200']
}
