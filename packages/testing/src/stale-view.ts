import type { JsonRpcReply, RpcRequest } from './faults.js'

// Where a method names the block it is about.
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getStorageAt: 2,
}
const BY_BLOCK = new Set(Object.keys(BLOCK_PARAMETER).filter((method) => BLOCK_PARAMETER[method] === 0))
const HEADS = new Set<unknown>(['latest', 'pending', undefined])

/** The chain of a node up to the block `head`, although the node has more. */
export class StaleView {
  constructor(private readonly head: number) {}

  /** The request to send to the node, or the response without it. */
  translate(call: RpcRequest): { request: RpcRequest } | { response: JsonRpcReply } {
    const { id, method = '', params = [] } = call
    if (method === 'eth_blockNumber') return { response: { jsonrpc: '2.0', id, result: hex(this.head) } }
    if (method === 'eth_getLogs') return { request: { ...call, params: [this.bounded(params[0])] } }
    const position = BLOCK_PARAMETER[method]
    if (position === undefined) return { request: call }
    const block = params[position]
    if (HEADS.has(block)) return { request: { ...call, params: Object.assign([...params], { [position]: hex(this.head) }) } }
    if (!this.isFuture(block)) return { request: call }
    const error = { code: -32_000, message: 'header not found' }
    return { response: { jsonrpc: '2.0', id, ...(BY_BLOCK.has(method) ? { result: null } : { error }) } }
  }

  /** Removes later blocks, and transactions and receipts of later blocks. */
  censor(response: JsonRpcReply): JsonRpcReply {
    const { number, blockNumber }: { number?: unknown; blockNumber?: unknown } = Object(response.result)
    return this.isFuture(number) || this.isFuture(blockNumber) ? { ...response, result: null } : response
  }

  private bounded(filter: unknown): object {
    const { fromBlock, toBlock, blockHash, ...rest }: Record<string, unknown> = Object(filter)
    if (blockHash !== undefined) return { ...rest, blockHash }
    const clamp = (block: unknown) => (HEADS.has(block) || this.isFuture(block) ? hex(this.head) : block)
    return { ...rest, fromBlock: clamp(fromBlock), toBlock: clamp(toBlock) }
  }

  private isFuture(block: unknown): boolean {
    return typeof block === 'string' && /^0x[0-9a-f]{1,13}$/i.test(block) && Number(block) > this.head
  }
}

function hex(number: number): string {
  return `0x${Math.max(number, 0).toString(16)}`
}
