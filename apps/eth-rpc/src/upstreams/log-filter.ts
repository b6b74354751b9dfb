import type { CallSignal } from '../call-signal.js'
import { invalidParams } from '../framing/rpc-error.js'

/** What `eth_getLogs` is asked for; tags are resolved. */
export type LogFilter = { readonly address?: unknown; readonly topics?: unknown } & (BlockNumberRange | { readonly blockHash: string })

export interface BlockNumberRange {
  readonly fromBlock: number
  readonly toBlock: number
}

export interface LogLimits {
  /** How many blocks a range may span. */
  readonly blocks: number
  readonly timeoutMs?: number
  readonly signal?: CallSignal
}

/** Throws where the range cannot be searched, or not in whole. */
export function checkRange({ fromBlock, toBlock }: BlockNumberRange, head: number, maxBlocks: number): void {
  // The words of execution-apis.
  if (toBlock > head) throw invalidParams('block range extends beyond current head block')
  const blocks = toBlock - fromBlock + 1
  if (blocks > maxBlocks) throw invalidParams(`a range may span ${maxBlocks} blocks at most, not ${blocks}: ask for parts of it`)
}

/** The range in parts of so many blocks at most, in order. */
export function splitRange({ fromBlock, toBlock }: BlockNumberRange, maxBlocks: number): BlockNumberRange[] {
  const parts: BlockNumberRange[] = []
  for (let from = fromBlock; from <= toBlock; from += maxBlocks) {
    parts.push({ fromBlock: from, toBlock: Math.min(from + maxBlocks - 1, toBlock) })
  }
  return parts
}

export function halvesOf({ fromBlock, toBlock }: BlockNumberRange): [BlockNumberRange, BlockNumberRange] {
  const middle = Math.floor((fromBlock + toBlock) / 2)
  return [
    { fromBlock, toBlock: middle },
    { fromBlock: middle + 1, toBlock },
  ]
}

/** The filter for a part of its range, as params. */
export function paramsOf({ address, topics }: LogFilter, { fromBlock, toBlock }: BlockNumberRange): string {
  return JSON.stringify([{ fromBlock: quantity(fromBlock), toBlock: quantity(toBlock), address, topics }])
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`
}
