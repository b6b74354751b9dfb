/** Fetches, and remembers the request id of a failed response for the error message. */
export class TracedFetch {
  /** `X-Request-Id` of the last response, if that was a failure. */
  requestId?: string
  readonly fetch: typeof globalThis.fetch

  constructor(fetch: typeof globalThis.fetch) {
    this.fetch = async (input, init) => {
      this.requestId = undefined
      const response = await fetch(input, init)
      if (!response.ok) this.requestId = response.headers.get('x-request-id') ?? undefined
      return response
    }
  }
}
