const VERSION = '/api/v1/'

/** `/api/tx/…` is `/api/v1/tx/…`: Insight stood at both. */
export function withVersion(url: string): string {
  return url.startsWith('/api/') && !url.startsWith(VERSION) ? `${VERSION}${url.slice('/api/'.length)}` : url
}
