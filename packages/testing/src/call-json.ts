export interface JsonReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text, parsed; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
}

interface JsonRequest {
  readonly method?: string
  readonly token?: string
  /** Text and bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends JSON to a service. */
export async function callJson(url: string, { method = 'GET', token, body, headers }: JsonRequest = {}): Promise<JsonReply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
