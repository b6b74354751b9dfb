import { invalidParams } from '../framing/rpc-error.js'
import type { LogEntry } from '../heads/head-feed.js'
import { bytesFault, jsonKind } from './hex-faults.js'

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
const ADDRESS_BYTES = 20
const TOPIC_BYTES = 32

/** Reads the `address` and `topics` of a filter, as `eth_getLogs` has them. Refuses in geth's words. */
export function logCriteria(filter: unknown, position = 0): LogCriteria {
  if (filter === undefined) throw invalidParams(`missing value for required argument ${position}`)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw refuse(position, `json: cannot unmarshal ${jsonKind(filter)} into Go value of type filters.input`)
  const { address, topics } = filter as { address?: unknown; topics?: unknown }
  return { addresses: addressesOf(address, position), topics: topicsOf(topics, position) }
}

export function matchesCriteria({ addresses, topics }: LogCriteria, log: LogEntry): boolean {
  if (addresses && !addresses.has(log.address)) return false
  return topics.length <= log.topics.length && topics.every((allowed, i) => allowed === undefined || allowed.has(log.topics[i] ?? ''))
}

function addressesOf(address: unknown, position: number): ReadonlySet<string> | undefined {
  if (address === undefined || address === null) return undefined
  if (typeof address === 'string')
    return lowerCase([checkedText(address, position, { bytes: ADDRESS_BYTES, of: 'address' }, 'invalid address: ')])
  if (!Array.isArray(address)) throw refuse(position, 'invalid addresses in query')
  if (address.length > MAX_ADDRESSES) throw refuse(position, `more than ${MAX_ADDRESSES} addresses in one filter`)
  const list = address.map((each, index) => {
    if (typeof each !== 'string') throw refuse(position, `non-string address at index ${index}`)
    return checkedText(each, position, { bytes: ADDRESS_BYTES, of: 'address' }, `invalid address at index ${index}: `)
  })
  // Like geth: none named means any.
  return list.length === 0 ? undefined : lowerCase(list)
}

function topicsOf(topics: unknown, position: number): LogCriteria['topics'] {
  if (topics === undefined || topics === null) return []
  if (!Array.isArray(topics))
    throw refuse(position, `json: cannot unmarshal ${jsonKind(topics)} into Go struct field input.topics of type []interface {}`)
  if (topics.length > MAX_TOPICS) throw refuse(position, 'exceed max topics')
  return topics.map((each) => alternativesOf(each, position))
}

function alternativesOf(given: unknown, position: number): ReadonlySet<string> | undefined {
  if (given === null) return undefined
  const list = Array.isArray(given) ? given : [given]
  if (list.length > MAX_ALTERNATIVES) throw refuse(position, `more than ${MAX_ALTERNATIVES} alternatives for a topic`)
  // A null among them stands for anything, and so do none.
  if (list.length === 0 || list.includes(null)) return undefined
  return lowerCase(
    list.map((topic) => {
      if (typeof topic !== 'string') throw refuse(position, 'invalid topic(s)')
      return checkedText(topic, position, { bytes: TOPIC_BYTES, of: 'topic' })
    }),
  )
}

function checkedText(text: string, position: number, { bytes, of }: { bytes: number; of: string }, before = ''): string {
  const length = Math.floor((text.length - 2) / 2)
  const fault =
    bytesFault(text.replace(/^0X/, '0x')) ??
    (length === bytes ? undefined : `hex has invalid length ${length} after decoding; expected ${bytes} for ${of}`)
  if (fault !== undefined) throw refuse(position, before + fault)
  return text
}

function refuse(position: number, reason: string) {
  return invalidParams(`invalid argument ${position}: ${reason}`)
}

function lowerCase(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.map((each) => each.toLowerCase()))
}
