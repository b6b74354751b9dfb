const VERSION = '/api/v1/'

/** `/api/tx/…` is an alias of `/api/v1/tx/…`, as in Insight. */
export function withVersion(url: string): string {
  return url.startsWith('/api/') && !url.startsWith(VERSION) ? `${VERSION}${url.slice('/api/'.length)}` : url
}
