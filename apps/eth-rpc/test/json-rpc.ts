/** What somebody who asks over HTTP sees. */
export interface TestRpcResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const HEADERS = { 'content-type': 'application/json' }

export async function callRpc(url: string, method: string, ...params: unknown[]): Promise<TestRpcResponse> {
  const answer = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  const { result, error } = (await answer.json()) as Omit<TestRpcResponse, 'status'>
  return { status: answer.status, ...(error ? { error } : { result }) }
}

/** What was asked for; throws where it is refused. */
export async function resultOfRpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await callRpc(url, method, ...params)
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result as T
}
