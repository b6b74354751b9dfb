import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { EVENTS, type EventName, MAX_FOLLOWED_ADDRESSES } from '@trestle/contracts/btc-connect/events'
import { Problem } from '@trestle/problem/problem'
import { type NamedScript, parseAddresses } from '../addresses/address.js'

/** The events that a client subscribes to. */
export interface Subscription {
  readonly events: ReadonlySet<EventName>
  readonly tracked: readonly NamedScript[]
}

interface Asked {
  readonly address?: string
  readonly events?: string
}

export function parseSubscription({ address, events }: Asked, rules: ChainRules): Subscription {
  const tracked = address === undefined ? [] : parseAddresses(address, rules, MAX_FOLLOWED_ADDRESSES)
  return { events: events === undefined ? defaultEvents(tracked.length > 0) : parseEvents(events), tracked }
}

function defaultEvents(hasAddresses: boolean): Set<EventName> {
  return new Set(hasAddresses ? ['block', 'address'] : ['block', 'tx'])
}

function parseEvents(text: string): Set<EventName> {
  const names = text.split(',').map((name) => name.trim())
  const known = EVENTS.filter((name) => names.includes(name))
  if (known.length === new Set(names).size) return new Set(known)
  const message = `must be some of ${EVENTS.join(',')}`
  throw new Problem('invalid', 'InvalidInput', `query.events: ${message}`, { errors: [{ path: 'query.events', message }] })
}
