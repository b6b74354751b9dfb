import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import type { Connection, RequestInput } from './connection.js'

const utf8 = new TextEncoder()

export interface OutgoingRequest extends RequestInput {
  token?: string
  signal: AbortSignal
}

/** Sends a request once. A failed connection is thrown as a `Problem`, an abort as its reason. */
export async function sendRequest(
  endpoint: EndpointSpec,
  { url, fetch, organization }: Connection,
  given: OutgoingRequest,
): Promise<Response> {
  const target = url + targetOf(endpoint, given)
  const headers = { ...headersOf(endpoint, given, organization), ...given.headers }
  return withNetworkProblems(url, given.signal, () =>
    fetch(target, { method: endpoint.method, headers, body: bodyOf(endpoint, given.body), signal: given.signal }),
  )
}

/** Path and query of a request. */
export function targetOf({ path }: EndpointSpec, { params, query }: RequestInput): string {
  return pathOf(path, params) + searchOf(query)
}

/** Turns network errors into `Unreachable`; an abort is thrown as its reason. */
export async function withNetworkProblems<T>(url: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    signal.throwIfAborted()
    throw unreachableProblem(url, cause)
  }
}

export function unreachableProblem(url: string, cause: unknown): Problem {
  return new Problem('unavailable', 'Unreachable', `${new URL(url).host} cannot be reached.`, { cause })
}

function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    // Each of these would make another path, and so another call.
    if (['', '.', '..'].includes(value)) throw new Problem('invalid', 'InvalidInput', `"${value}" cannot stand in a path as ${name}.`)
    return encodeURIComponent(value)
  })
}

function searchOf(query: RequestInput['query'] = {}): string {
  if (query instanceof URLSearchParams) return `?${query}`
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

function headersOf(
  { form }: EndpointSpec,
  { token, basic, body, approval }: RequestInput & { token?: string },
  organization: string | undefined,
): Record<string, string> {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    accept: 'application/json, */*;q=0.5',
    ...(body !== undefined && { 'content-type': type }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(token && organization !== undefined && { 'trestle-organization': organization }),
    ...(approval !== undefined && { 'trestle-approval': approval }),
    // RFC 7617 section 2.1.
    ...(basic && { authorization: `Basic ${btoa(String.fromCharCode(...utf8.encode(`${basic.username}:${basic.password}`)))}` }),
  }
}

function bodyOf({ form }: EndpointSpec, body: unknown): string | undefined {
  if (body === undefined) return undefined
  return form ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
