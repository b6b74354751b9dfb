import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { EVENTS, type EventName, MOST_FOLLOWED } from '@trestle/contracts/btc-connect/events'
import { Problem } from '@trestle/problem/problem'
import { type NamedScript, parseAddresses } from '../addresses/address.js'

/** What a client wants to hear of. */
export interface Subscription {
  readonly events: ReadonlySet<EventName>
  readonly followed: readonly NamedScript[]
}

interface Asked {
  readonly address?: string
  readonly events?: string
}

export function parseSubscription({ address, events }: Asked, rules: ChainRules): Subscription {
  const followed = address === undefined ? [] : parseAddresses(address, rules, MOST_FOLLOWED)
  return { events: events === undefined ? usual(followed.length > 0) : parseEvents(events), followed }
}

function usual(follows: boolean): Set<EventName> {
  return new Set(follows ? ['block', 'address'] : ['block', 'tx'])
}

function parseEvents(text: string): Set<EventName> {
  const names = text.split(',').map((name) => name.trim())
  const known = EVENTS.filter((name) => names.includes(name))
  if (known.length === new Set(names).size) return new Set(known)
  const message = `must be some of ${EVENTS.join(',')}`
  throw new Problem('invalid', 'InvalidInput', `query.events: ${message}`, { errors: [{ path: 'query.events', message }] })
}
