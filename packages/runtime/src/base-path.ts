/**
 * The path that routes a request: without the base path, so that a service serves its root and its base path alike.
 * A route of the service that begins with the base path keeps it (`/nodes` of the nodes service).
 */
export function withoutBasePath(target: string, basePath: string, ownPaths: ReadonlySet<string>): string {
  const url = originForm(target)
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (ownPaths.has(pathOf(url))) return url
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/** The path of a request target, without the query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** RFC 9112 section 3.2.2: a server must accept the absolute form, `GET http://host/path`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const matched = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)
  if (!matched) return target
  const [, rest = ''] = matched
  return rest.startsWith('/') ? rest : `/${rest}`
}
