interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** Answers every `fetch` with this, and remembers what was sent. */
export function stubFetch(answer: () => Response | Promise<Response>) {
  const sent: Sent[] = []
  const real = globalThis.fetch
  globalThis.fetch = async (url, init = {}) => {
    sent.push({ url: String(url), method: init.method ?? 'GET', headers: new Headers(init.headers), body: init.body })
    return answer()
  }
  function restore(): void {
    globalThis.fetch = real
  }
  return { sent, restore }
}

export function jsonResponse(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
