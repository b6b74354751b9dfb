import type { RpcRequest, RpcResponse } from './faults.js'

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

/** The chain as a node sees it whose newest block is `head`, though it has more. */
export class StaleView {
  constructor(private readonly head: number) {}

  /** The call as the node is to be asked; or what it answers at once. */
  translate(call: RpcRequest): { ask: RpcRequest } | { answer: RpcResponse } {
    const { id, method = '', params = [] } = call
    if (method === 'eth_blockNumber') return { answer: { jsonrpc: '2.0', id, result: hex(this.head) } }
    if (method === 'eth_getLogs') return { ask: { ...call, params: [this.within(params[0])] } }
    const position = BLOCK_PARAMETER[method]
    if (position === undefined) return { ask: call }
    const block = params[position]
    if (HEADS.has(block)) return { ask: { ...call, params: Object.assign([...params], { [position]: hex(this.head) }) } }
    if (!this.isFuture(block)) return { ask: call }
    const error = { code: -32_000, message: 'header not found' }
    return { answer: { jsonrpc: '2.0', id, ...(BY_BLOCK.has(method) ? { result: null } : { error }) } }
  }

  /** Without what it cannot know: blocks, transactions and receipts of later blocks. */
  censor(answer: RpcResponse): RpcResponse {
    const { number, blockNumber } = (answer.result ?? {}) as { number?: unknown; blockNumber?: unknown }
    return this.isFuture(number) || this.isFuture(blockNumber) ? { ...answer, result: null } : answer
  }

  private within(filter: unknown): object {
    const { fromBlock, toBlock, blockHash, ...rest } = filter as Record<string, unknown>
    if (blockHash !== undefined) return { ...rest, blockHash }
    const bounded = (block: unknown) => (HEADS.has(block) || this.isFuture(block) ? hex(this.head) : block)
    return { ...rest, fromBlock: bounded(fromBlock), toBlock: bounded(toBlock) }
  }

  private isFuture(block: unknown): boolean {
    return typeof block === 'string' && /^0x[0-9a-f]{1,13}$/i.test(block) && Number(block) > this.head
  }
}

function hex(number: number): string {
  return `0x${Math.max(number, 0).toString(16)}`
}
