import { createHash } from 'node:crypto'
import { type CallOutcome, errorOf, resultOf } from '../src/framing/outcome.js'

interface ModelBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly transactions: readonly string[]
}

type Asked = { readonly name: string; readonly params: readonly unknown[] }

/** What a node knows at one moment; never changed, so that moments can be compared. */
export class ModelNode {
  private constructor(
    readonly blocks: readonly ModelBlock[],
    readonly finalized: number,
    readonly pending: readonly string[],
  ) {}

  static readonly first = new ModelNode([{ number: 0, hash: digest('genesis'), parentHash: digest(''), transactions: [] }], 0, [])

  get head(): number {
    return this.blocks.length - 1
  }

  /** `height` blocks stay, and one comes: no two blocks of all branches have the same hash. */
  withBlock(height: number, transactions: readonly string[], nonce: number): ModelNode {
    const blocks = this.blocks.slice(0, height)
    const parentHash = blocks.at(-1)?.hash ?? ''
    const known = new Set(blocks.flatMap((block) => block.transactions))
    const block = { number: height, hash: digest(parentHash, nonce), parentHash, transactions: transactions.filter((id) => !known.has(id)) }
    return new ModelNode([...blocks, block], Math.min(this.finalized, height), [...this.pending, ...transactions])
  }

  withFinal(number: number): ModelNode {
    return new ModelNode(this.blocks, Math.min(this.head, Math.max(this.finalized, number)), this.pending)
  }

  answer({ name, params }: Asked): CallOutcome {
    const [first, second] = params
    switch (name) {
      case 'eth_gasPrice':
        return resultOf(digest('gas', this.blocks.at(-1)?.hash))
      case 'eth_getTransactionByHash':
      case 'eth_getTransactionReceipt':
        return resultOf(this.transaction(String(first), name))
      case 'eth_getLogs':
        return this.logs(first as Record<string, unknown>)
      case 'eth_getBalance':
        return this.state(name, String(first), second)
      case 'eth_call':
        return this.state(name, (first as { data: string }).data, second)
      case 'eth_getBlockReceipts':
        return resultOf(this.find(first)?.transactions.map((id) => this.transaction(id, name)) ?? null)
      default:
        return resultOf(this.block(name, this.find(first)))
    }
  }

  private find(reference: unknown = 'latest'): ModelBlock | undefined {
    if (typeof reference === 'object' && reference !== null) return this.find(Object.values(reference)[0])
    if (reference === 'finalized') return this.blocks[this.finalized]
    if (reference === 'latest') return this.blocks.at(-1)
    if (reference === 'earliest') return this.blocks[0]
    const text = String(reference).toLowerCase()
    return text.length === 66 ? this.blocks.find(({ hash }) => hash === text) : this.blocks[Number(text)]
  }

  private block(name: string, block?: ModelBlock) {
    if (!block) return null
    if (name.startsWith('eth_getBlockTransactionCount')) return `0x${block.transactions.length.toString(16)}`
    return { hash: block.hash, number: quantity(block.number), parentHash: block.parentHash, transactions: block.transactions }
  }

  private transaction(id: string, name: string) {
    const block = this.blocks.find(({ transactions }) => transactions.includes(id))
    if (block) return { hash: id, ...placeOf(block), of: name }
    return name === 'eth_getTransactionByHash' && this.pending.includes(id) ? { hash: id, blockHash: null, blockNumber: null } : null
  }

  private state(name: string, of: string, reference: unknown): CallOutcome {
    const block = this.find(reference ?? 'latest')
    if (!block) return errorOf({ code: -32000, message: 'header not found' })
    const value = digest(name, of.toLowerCase(), block.hash)
    return name === 'eth_call' && value.endsWith('0') ? errorOf({ code: 3, message: 'execution reverted', data: value }) : resultOf(value)
  }

  private logs({ fromBlock, toBlock, blockHash }: Record<string, unknown>): CallOutcome {
    const from = this.find(blockHash ?? fromBlock)
    const to = this.find(blockHash ?? toBlock)
    if (!from || !to) return errorOf({ code: -32000, message: 'unknown block' })
    const blocks = this.blocks.slice(from.number, to.number + 1)
    return resultOf(blocks.flatMap((block) => block.transactions.map((id) => ({ data: id, ...placeOf(block) }))))
  }
}

function placeOf({ number, hash }: ModelBlock) {
  return { blockHash: hash, blockNumber: quantity(number) }
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`
}

function digest(...parts: unknown[]): string {
  return `0x${createHash('sha256').update(parts.join()).digest('hex')}`
}
