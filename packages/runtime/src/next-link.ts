/** The `Link` header (RFC 8288) to the next page: the requested path with another query. */
export function nextLink(requestUrl: string, query: Record<string, string | number | undefined>): Record<string, string> {
  const members = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]))
  const path = requestUrl.split('?', 1)[0]
  return { link: `<${path}?${new URLSearchParams(members)}>; rel="next"` }
}
