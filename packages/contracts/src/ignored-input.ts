import type { EndpointSpec } from './endpoint.js'

/** Input that no endpoint declares but that clients send; it is ignored. Everything else that is unknown is refused. */
interface IgnoredInput {
  readonly part: 'query' | 'body'
  /** Of which paths; of all if absent. */
  readonly paths?: RegExp
  /** By name; all unknown members if absent. */
  readonly names?: readonly string[]
  readonly because: string
}

export const IGNORED_INPUT: readonly IgnoredInput[] = [
  { part: 'query', names: ['_'], because: "jQuery's cache buster, which other libraries copied" },
  { part: 'query', names: ['organization'], because: 'it is read with the token: in which organization the caller acts' },
  { part: 'query', paths: /^\/api\/v1\//, because: 'clients of Insight send JSONP callbacks, options of other versions and cache busters' },
  { part: 'body', paths: /^\/api\/v1\//, because: 'clients of Insight repeat options of the query, and of other versions' },
  { part: 'query', paths: /^\/oauth2\//, because: 'RFC 6749 section 3.2: unrecognized parameters are ignored' },
  { part: 'body', paths: /^\/oauth2\//, because: 'RFC 6749 section 3.2: unrecognized parameters are ignored' },
  { part: 'body', paths: /^\/auth\/token$/, because: 'simple-oauth2 in JSON mode adds grant_type to grantType' },
  { part: 'body', paths: /^\/auth$/, because: 'some clients repeat the credentials of the Basic header in a body' },
]

/** The unknown members of a part of its requests that an endpoint ignores. */
export function ignoredNames(part: IgnoredInput['part'], { path }: Pick<EndpointSpec, 'path'>): 'all' | ReadonlySet<string> {
  const ignored = IGNORED_INPUT.filter((each) => each.part === part && (each.paths?.test(path) ?? true))
  return ignored.some(({ names }) => !names) ? 'all' : new Set(ignored.flatMap(({ names = [] }) => names))
}
