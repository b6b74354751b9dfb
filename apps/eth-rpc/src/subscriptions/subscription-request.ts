import { invalidParams, RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { type LogCriteria, logCriteria } from '../methods/log-criteria.js'

export type SubscriptionTopic = 'newHeads' | 'logs' | 'newPendingTransactions' | 'syncing'

/** What `eth_subscribe` asks for. */
export interface SubscriptionRequest {
  readonly topic: SubscriptionTopic
  /** Of logs. */
  readonly criteria?: LogCriteria
}

export function subscriptionRequest([topic, option]: readonly unknown[]): SubscriptionRequest {
  switch (topic) {
    case 'newHeads':
    case 'syncing':
      return { topic }
    case 'logs':
      return { topic, criteria: logCriteria(option ?? {}, 1) }
    case 'newPendingTransactions':
      if (option) throw invalidParams('only the hashes of pending transactions are available')
      return { topic }
    default:
      // The words of geth.
      throw new RpcFailure({ code: RPC_CODE.methodNotFound, message: `no "${nameOf(topic)}" subscription in eth namespace` })
  }
}

function nameOf(topic: unknown): string {
  return typeof topic === 'string' ? topic.slice(0, 64).toWellFormed() : ''
}
