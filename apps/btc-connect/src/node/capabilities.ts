import type { ChainInfo, NetworkInfo } from './node-calls.js'
import { NodeRefusal } from './node-errors.js'

/** What this node supports. */
export interface Capabilities {
  readonly version: number
  readonly subversion: string
  /** Blocks as bytes over REST (-rest=1): half the bytes of JSON-RPC, and nothing to decode. */
  readonly rest: boolean
  /** `getblock` with verbosity 3 names the outputs that were spent. */
  readonly prevouts: boolean
  readonly pruned: boolean
  /** The address of its ZeroMQ publisher. */
  readonly zmq: string | undefined
}

export interface ProbeReplies {
  readonly chain: Pick<ChainInfo, 'pruned'>
  readonly network: Pick<NetworkInfo, 'version' | 'subversion'>
  readonly rest: boolean
  readonly notifications: readonly { readonly type: string; readonly address: string }[] | NodeRefusal
}

export function capabilitiesOf({ chain, network, rest, notifications }: ProbeReplies, nodeUrl: string): Capabilities {
  const { version, subversion } = network
  return { version, subversion, rest, prevouts: hasPrevouts(network), pruned: chain.pruned, zmq: zmqUrlOf(notifications, nodeUrl) }
}

// Litecoin Core 0.21 accepts verbosity 3 and treats it as 2.
function hasPrevouts({ version, subversion }: ProbeReplies['network']): boolean {
  if (subversion.startsWith('/Bitcoin Cash Node:')) return version >= 26_000_000
  return version >= 230_000
}

/** The first address that it publishes hashes at; a wildcard address is replaced by the host of the node. */
function zmqUrlOf(notifications: ProbeReplies['notifications'], nodeUrl: string): string | undefined {
  if (notifications instanceof NodeRefusal) return undefined
  const address = notifications.find(({ type }) => /^pub(hash|sequence)/.test(type))?.address
  return address?.replace(/^tcp:\/\/(\*|0\.0\.0\.0|\[::\])(?=:)/, `tcp://${new URL(nodeUrl).hostname}`)
}
