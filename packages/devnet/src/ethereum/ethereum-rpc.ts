import { NodeRpcError, type RpcInvocation } from '../chains/node-rpc.js'

interface Answer<T> {
  readonly id: number
  readonly result: T
  readonly error?: { readonly code: number; readonly message: string }
}

/** The JSON-RPC of an Ethereum node. */
export class EthereumRpc {
  constructor(
    readonly url: string,
    private readonly patienceMs = 30_000,
  ) {}

  /** The same node's, for what must be answered sooner. */
  within(patienceMs: number): EthereumRpc {
    return new EthereumRpc(this.url, patienceMs)
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    return resultOf(method, await this.post<Answer<T>>({ jsonrpc: '2.0', id: 0, method, params }))
  }

  /** In one request; the results in the order of the calls, or the first refusal. A node may well carry them out in another order. */
  async batch<T>(calls: readonly RpcInvocation[]): Promise<T[]> {
    if (calls.length === 0) return []
    const answers = await this.post<Answer<T>[]>(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })))
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => resultOf(method, byId.get(id)))
  }

  private async post<T>(body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(this.patienceMs)
    const answer = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return JSON.parse(await answer.text())
  }
}

function resultOf<T>(method: string, answer?: Answer<T>): T {
  if (!answer) throw new Error(`${method}: the node did not answer.`)
  if (answer.error) throw new NodeRpcError(method, answer.error.message, answer.error.code)
  return answer.result
}
