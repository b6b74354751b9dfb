import { invalidParams } from '../framing/rpc-error.js'
import type { LogEntry } from '../heads/head-feed.js'

/** Which logs match. */
export interface LogCriteria {
  /** Lower case; undefined: any. */
  readonly addresses?: ReadonlySet<string>
  /** By position; undefined: anything, or nothing, may stand there. */
  readonly topics: readonly (ReadonlySet<string> | undefined)[]
}

const MAX_ADDRESSES = 1000
const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1000
const ADDRESS = /^0x[0-9a-f]{40}$/i
const TOPIC = /^0x[0-9a-f]{64}$/i

/** Reads the `address` and `topics` of a filter, as `eth_getLogs` has them. */
export function logCriteria(filter: unknown): LogCriteria {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) throw invalidParams('the filter must be an object')
  const { address, topics } = filter as { address?: unknown; topics?: unknown }
  return { addresses: addressesOf(address), topics: topicsOf(topics) }
}

export function matchesCriteria({ addresses, topics }: LogCriteria, log: LogEntry): boolean {
  if (addresses && !addresses.has(log.address)) return false
  return topics.length <= log.topics.length && topics.every((allowed, i) => allowed === undefined || allowed.has(log.topics[i] ?? ''))
}

function addressesOf(address: unknown): ReadonlySet<string> | undefined {
  if (address === undefined || address === null) return undefined
  const list = Array.isArray(address) ? address : [address]
  if (list.length > MAX_ADDRESSES) throw invalidParams(`more than ${MAX_ADDRESSES} addresses in one filter`)
  if (!list.every((each) => typeof each === 'string' && ADDRESS.test(each))) throw invalidParams('an address of the filter is not one')
  // Like geth: none named means any.
  return list.length === 0 ? undefined : lowerCase(list)
}

function topicsOf(topics: unknown): LogCriteria['topics'] {
  if (topics === undefined || topics === null) return []
  if (!Array.isArray(topics)) throw invalidParams('the topics of the filter must be an array')
  if (topics.length > MAX_TOPICS) throw invalidParams(`more than ${MAX_TOPICS} topics in one filter`)
  return topics.map(alternativesOf)
}

function alternativesOf(position: unknown): ReadonlySet<string> | undefined {
  if (position === null) return undefined
  const list = Array.isArray(position) ? position : [position]
  if (list.length > MAX_ALTERNATIVES) throw invalidParams(`more than ${MAX_ALTERNATIVES} alternatives for a topic`)
  // A null among them stands for anything, and so do none.
  if (list.length === 0 || list.includes(null)) return undefined
  if (!list.every((each) => typeof each === 'string' && TOPIC.test(each))) throw invalidParams('a topic of the filter is not one')
  return lowerCase(list)
}

function lowerCase(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.map((each) => each.toLowerCase()))
}
