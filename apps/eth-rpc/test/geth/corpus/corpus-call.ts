import type { GethChain } from '../geth-chain.js'

// Why an answer differs.
const REASONS = {
  optionalBlock: 'execution-apis: the block may be left out',
  keys: 'the accounts of a node are not those of the callers',
  node: 'of the gateway, not of the node behind it',
  old: 'EIP-1474 has it, and the gateway answers it',
  notServed: 'needs the keys of a node, or its operator; the words say so',
  rights: 'an administrator allows it to a project',
  search: 'execution-apis: a range that extends beyond the head is refused',
  strict: 'what parsers may read in two ways is refused',
  long: 'a name may be of any length: it is not repeated whole',
} as const

/** A call that is made of geth and through the gateway. The answers are equal byte for byte, or there is a reason why not. */
export interface CorpusCall {
  readonly body: string
  /** One of `REASONS`: the answer differs, and is to. */
  readonly reason?: string
}

export const NO_HASH = `0x${'0'.repeat(63)}1`

export function corpusCall(method: string, params?: unknown, reason?: keyof typeof REASONS): CorpusCall {
  return { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), reason: reason && REASONS[reason] }
}

export function each<T>(values: readonly T[], make: (value: T) => CorpusCall | CorpusCall[]): CorpusCall[] {
  return values.flatMap(make)
}

/** All ways to name a block, existing or not. */
export function places({ block, head }: GethChain): unknown[] {
  return [
    ...['latest', 'earliest', 'pending', 'safe', 'finalized', '0x0', '0x1', block.number, head.number],
    ...[
      { blockNumber: block.number },
      { blockNumber: 'latest' },
      { blockHash: block.hash },
      { blockHash: block.hash, requireCanonical: true },
    ],
    ...[block.hash, '0xffff', '0x1fffffffffffff', '0x20000000000000', '0x7fffffffffffffff', '0x8000000000000000'],
  ]
}

/** What is no call: the strict reason is that of all that are refused. */
export function bodyCall(body: string, reason?: keyof typeof REASONS): CorpusCall {
  return { body, reason: reason && REASONS[reason] }
}
