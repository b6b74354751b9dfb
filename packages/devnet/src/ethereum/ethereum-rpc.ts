import { NodeRpcError, type RpcInvocation } from '../chains/node-rpc.js'

interface Answer {
  readonly id: number
  readonly result?: unknown
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
    return resultOf<T>(method, await this.post<Answer>({ jsonrpc: '2.0', id: 0, method, params }))
  }

  /** In one request; the results in the order of the calls, or the first refusal. A node may well carry them out in another order. */
  async batch<T>(calls: readonly RpcInvocation[]): Promise<T[]> {
    if (calls.length === 0) return []
    const answers = await this.post<Answer[]>(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })))
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => resultOf<T>(method, byId.get(id)))
  }

  private async post<T>(body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(this.patienceMs)
    const answer = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return (await answer.json()) as T
  }
}

function resultOf<T>(method: string, answer?: Answer): T {
  if (!answer) throw new Error(`${method}: the node did not answer.`)
  if (answer.error) throw new NodeRpcError(method, answer.error.message, answer.error.code)
  return answer.result as T
}
