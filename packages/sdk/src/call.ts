import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { nextQuery, type Received, replyOf } from './answer.js'

/** Gives tokens to calls. */
export interface TokenSource {
  current(): Promise<string>
  /** A newer token than this one, which was refused. */
  renew(refused: string): Promise<string>
}

export interface Connection {
  url: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  token?: string | TokenSource
}

export interface Credentials {
  /** A bearer token, or a source of them that is asked again when one is refused. */
  token?: string | TokenSource
  /** For signing in. */
  basic?: { username: string; password: string }
}

const utf8 = new TextEncoder()

export interface Given extends Credentials {
  params?: Record<string, string>
  query?: Record<string, unknown> | URLSearchParams
  body?: unknown
  headers?: Record<string, string>
}

/** The reply, and the query of the next page. */
type Answer = { reply: unknown; next: URLSearchParams | undefined }

/** Sends one request and reads the answer. */
export async function call(endpoint: EndpointSpec, connection: Connection, given: Given): Promise<Answer> {
  const received = await authorized(endpoint, connection, given, (token) => send(endpoint, connection, { ...given, token }))
  return { reply: replyOf(endpoint, received), next: nextQuery(received) }
}

/** Does it with a token where one is needed, and once more with a newer one where a source's token is refused. */
export async function authorized<T extends { status: number }>(
  { access }: EndpointSpec,
  connection: Connection,
  given: Credentials,
  work: (token?: string) => Promise<T>,
): Promise<T> {
  const needsToken = access !== 'public' && access !== 'basic'
  const source = needsToken ? (given.token ?? connection.token) : undefined
  const token = typeof source === 'object' ? await source.current() : source
  const received = await work(token)
  if (received.status !== 401 || typeof source !== 'object') return received
  return work(await source.renew(token ?? ''))
}

/** The reply and all that follow it. */
export async function* pages(endpoint: EndpointSpec, connection: Connection, given: Given): AsyncGenerator<unknown, void> {
  let query: Given['query'] | undefined = given.query ?? {}
  while (query) {
    const answer: Answer = await call(endpoint, connection, { ...given, query })
    yield answer.reply
    query = answer.next
  }
}

async function send(endpoint: EndpointSpec, connection: Connection, given: Given & { token?: string }): Promise<Received> {
  const { url, timeoutMs } = connection
  try {
    const response = await request(endpoint, connection, { ...given, signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    if ((cause as Error).name === 'TimeoutError')
      throw new Problem('upstream-timeout', 'Timeout', `No answer within ${timeoutMs} ms.`, { cause })
    throw unreachable(url, cause)
  }
}

export function unreachable(url: string, cause: unknown): Problem {
  return new Problem('unavailable', 'Unreachable', `${new URL(url).host} cannot be reached.`, { cause })
}

interface Sent extends Given {
  token?: string
  signal: AbortSignal
}

export function request(endpoint: EndpointSpec, { url, fetch }: Connection, given: Sent): Promise<Response> {
  const target = `${url}${pathOf(endpoint.path, given.params)}${searchOf(given.query)}`
  const headers = { ...headersOf(endpoint, given), ...given.headers }
  return fetch(target, { method: endpoint.method, headers, body: bodyOf(endpoint, given.body), signal: given.signal })
}

function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    // Any of these would be another path, and so another call.
    if (['', '.', '..'].includes(value)) throw new Problem('invalid', 'InvalidInput', `"${value}" cannot stand in a path as ${name}.`)
    return encodeURIComponent(value)
  })
}

function searchOf(query: Given['query'] = {}): string {
  if (query instanceof URLSearchParams) return `?${query}`
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

function headersOf({ form }: EndpointSpec, { token, basic, body }: Given): Record<string, string> {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    accept: 'application/json, */*;q=0.5',
    ...(body !== undefined && { 'content-type': type }),
    ...(token && { authorization: `Bearer ${token}` }),
    // RFC 7617 section 2.1.
    ...(basic && { authorization: `Basic ${btoa(String.fromCharCode(...utf8.encode(`${basic.username}:${basic.password}`)))}` }),
  }
}

function bodyOf({ form }: EndpointSpec, body: unknown): string | undefined {
  if (body === undefined) return undefined
  return form ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
