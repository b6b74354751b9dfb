import { readFile } from 'node:fs/promises'

/** A method and its parameters. */
export type RpcInvocation = readonly [method: string, ...params: unknown[]]

/** The node answered, and refused. */
export class NodeRpcError extends Error {
  override readonly name = 'RpcError'
  constructor(
    method: string,
    message: string,
    readonly code: number,
  ) {
    super(`${method}: ${message} (${code})`)
  }
}

interface Answer<T> {
  readonly result: T
  readonly error: { readonly code: number; readonly message: string } | null
}

/** The JSON-RPC of a node of our own, authenticated by the node's cookie file. */
export class NodeRpc {
  constructor(
    private readonly url: string,
    private readonly cookieFile: string,
  ) {}

  /** The same node's, for the methods of one wallet. */
  wallet(name: string): NodeRpc {
    return new NodeRpc(`${this.url}/wallet/${encodeURIComponent(name)}`, this.cookieFile)
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const [answer] = await this.post<T>([{ id: 0, method, params }])
    return resultOf(method, answer)
  }

  /** In one request; the results in the order of the calls, or the first refusal. */
  async batch<T>(calls: readonly RpcInvocation[]): Promise<T[]> {
    const answers = await this.post<T>(calls.map(([method, ...params], id) => ({ id, method, params })))
    return calls.map(([method], i) => resultOf(method, answers[i]))
  }

  private async post<T>(requests: readonly object[]): Promise<Answer<T>[]> {
    // Another one after every start of the node.
    const cookie = await readFile(this.cookieFile)
    // `close`: litecoind does not stop before the last connection is gone.
    const headers = { authorization: `Basic ${cookie.toString('base64')}`, connection: 'close' }
    const answer = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(requests) })
    const text = await answer.text()
    if (!text.startsWith('[')) throw new Error(`The node answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
}

function resultOf<T>(method: string, answer?: Answer<T>): T {
  if (!answer) throw new Error(`${method}: the node did not answer.`)
  if (answer.error) throw new NodeRpcError(method, answer.error.message, answer.error.code)
  return answer.result
}
