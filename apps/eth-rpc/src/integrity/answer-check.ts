import { textAfter } from '../cache/named-block.js'
import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import type { RpcMethod } from '../methods/method.js'
import { transactionHash } from '../upstreams/transaction-hash.js'
import { receiptsSuspicion } from './block-receipts.js'
import type { Suspicion } from './suspicion.js'

/** Looks at a result before it is believed. */
export type AnswerCheck = (json: Buffer) => Suspicion | undefined

export type CheckedChain = Pick<FollowedChain, 'at' | 'byHash'>

interface CheckedCall {
  readonly method: Pick<RpcMethod, 'name'>
  readonly params: readonly unknown[]
}

type Check = (params: readonly unknown[], json: Buffer, chain: CheckedChain) => Suspicion | undefined

const NAMES = Object.fromEntries(
  ['hash', 'number', 'transactionHash', 'blockHash', 'blockNumber', 'transactionIndex'].map((name) => [name, Buffer.from(`"${name}"`)]),
)

// Of its type the bytes do not show the hash.
const ZKSYNC_TRANSACTION = '"0x71'

// A scan of some members: what a block holds besides is not read.
const CHECKS: Readonly<Record<string, Check>> = {
  eth_getBlockByHash: ([hash], json) => unless(has(json, 'hash', hash)),
  eth_getBlockByNumber: ([number], json, chain) => {
    if (!isQuantity(number)) return undefined
    if (!has(json, 'number', number)) return 'wrong'
    return ofOurBranch(json, 'hash', chain.at(Number(number)))
  },
  eth_getBlockReceipts: ([block], json, chain) => {
    const ours = blockOf(block, chain)
    return ofOurBranch(json, 'blockHash', ours) ?? receiptsSuspicion(json, ours)
  },
  eth_getTransactionByHash: ([hash], json) => unless(has(json, 'hash', hash)),
  eth_getTransactionReceipt: ([hash], json) => unless(has(json, 'transactionHash', hash)),
  eth_getRawTransactionByHash: ([hash], json) => {
    const own = hashOfRaw(json)
    if (own === undefined && json.indexOf(ZKSYNC_TRANSACTION) === 0) return 'doubtful'
    return unless(own === String(hash).toLowerCase())
  },
  eth_getTransactionByBlockHashAndIndex: ([hash, index], json) =>
    unless(has(json, 'blockHash', hash) && has(json, 'transactionIndex', index)),
  eth_getTransactionByBlockNumberAndIndex: ([number, index], json, chain) => {
    if (!isQuantity(number)) return undefined
    if (!has(json, 'blockNumber', number) || !has(json, 'transactionIndex', index)) return 'wrong'
    return ofOurBranch(json, 'blockHash', chain.at(Number(number)))
  },
}

/** Undefined for methods whose results say nothing of what was asked. */
export function answerCheckOf({ method, params }: CheckedCall, chain: CheckedChain): AnswerCheck | undefined {
  const check = CHECKS[method.name]
  // That it has nothing is judged elsewhere.
  return check && ((json) => (json.length <= NULL_LENGTH ? undefined : check(params, json, chain)))
}

const NULL_LENGTH = 4

function unless(isRight: boolean): Suspicion | undefined {
  return isRight ? undefined : 'wrong'
}

function ofOurBranch(json: Buffer, name: string, ours: ChainBlock | undefined): Suspicion | undefined {
  return ours === undefined || json.length <= EMPTY_LENGTH || has(json, name, ours.hash) ? undefined : 'doubtful'
}

const EMPTY_LENGTH = 2

function blockOf(reference: unknown, chain: CheckedChain): ChainBlock | undefined {
  if (isQuantity(reference)) return chain.at(Number(reference))
  return typeof reference === 'string' ? chain.byHash(reference.toLowerCase()) : undefined
}

/** Whether a member has that value: the first of that name, as all clients write it, or the one at the top. */
function has(json: Buffer, name: string, value: unknown): boolean {
  const expected = String(value).toLowerCase()
  if (textAfter(NAMES[name] as Buffer, json)?.toLowerCase() === expected) return true
  return topMember(json, name) === expected
}

function topMember(json: Buffer, name: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(json.toString())
    const [top] = [parsed].flat()
    return String((top as Record<string, unknown> | null)?.[name]).toLowerCase()
  } catch {
    return undefined
  }
}

function hashOfRaw(json: Buffer): string | undefined {
  return transactionHash(json.toString('latin1', 1, json.length - 1))
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('0x') && value.length < 18
}
