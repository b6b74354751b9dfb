import { invalidParams, RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { hashFault, jsonKind } from '../methods/hex-faults.js'
import { type LogCriteria, logCriteria } from '../methods/log-criteria.js'

export type SubscriptionTopic = 'newHeads' | 'logs' | 'newPendingTransactions' | 'transactionReceipts' | 'syncing'

/** What `eth_subscribe` asks for. */
export interface SubscriptionRequest {
  readonly topic: SubscriptionTopic
  /** Of logs. */
  readonly criteria?: LogCriteria
  /** Of pending transactions: not only their hashes. */
  readonly whole?: boolean
  /** Of receipts: those of these transactions; left out, all. */
  readonly hashes?: ReadonlySet<string>
}

const MAX_HASHES = 200

export function subscriptionRequest(params: readonly unknown[]): SubscriptionRequest {
  const [topic, option] = params
  switch (topic) {
    case 'newHeads':
    case 'syncing':
      return { topic }
    case 'logs':
      return { topic, criteria: logCriteria(option ?? {}, 1) }
    case 'newPendingTransactions':
      return { topic, whole: flagOf(option, 1) }
    case 'transactionReceipts':
      return { topic, hashes: hashesOf(option) }
    default:
      // The words of geth.
      throw new RpcFailure({ code: RPC_CODE.methodNotFound, message: `no "${nameOf(topic)}" subscription in eth namespace` })
  }
}

/** Whether whole transactions are wanted. Refuses in geth's words. */
export function flagOf(value: unknown, position: number): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw invalidParams(`invalid argument ${position}: json: cannot unmarshal ${jsonKind(value)} into Go value of type bool`)
}

function hashesOf(option: unknown): ReadonlySet<string> | undefined {
  if (option === undefined || option === null) return undefined
  const { transactionHashes = null } = option as { transactionHashes?: unknown }
  if (transactionHashes === null) return undefined
  if (!Array.isArray(transactionHashes)) throw invalidParams('invalid argument 1: transactionHashes is not an array')
  if (transactionHashes.length > MAX_HASHES)
    throw new RpcFailure({
      code: RPC_CODE.server,
      message: 'exceed max number of transaction hashes allowed per transactionReceipts subscription',
    })
  const fault = transactionHashes.map((hash) => hashFault(hash)).find((each) => each !== undefined)
  if (fault !== undefined) throw invalidParams(`invalid argument 1: ${fault}`)
  return transactionHashes.length === 0 ? undefined : new Set(transactionHashes.map((hash: string) => hash.toLowerCase()))
}

function nameOf(topic: unknown): string {
  return typeof topic === 'string' ? topic.slice(0, 64).toWellFormed() : ''
}
