/** Passes requests on, and remembers of the last answer what an explanation or a diagnosis wants. */
export class TracedFetch {
  /** How the services call the last request that failed. */
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
