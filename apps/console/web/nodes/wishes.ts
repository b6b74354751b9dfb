import type { ClusterAuthType } from '@trestle/contracts/nodes/shapes'
import { readAddresses } from './addresses.js'
import type { Kind } from './holding.js'
import type { Offer } from './services.js'
import { type Ttl, ttlSeconds } from './ttl.js'

/** What is wanted, as the forms hold it. */
export interface Wishes {
  /** The id of the offer. */
  readonly offer: string
  readonly serviceId: string
  readonly authType: ClusterAuthType
  readonly ttl: Ttl
  /** As written. */
  readonly allowedIps: string
  readonly capacity: number
  readonly alias: string
}

/** What a step of the wizard is given. */
export interface StepProps {
  readonly kind: Kind
  readonly offers: readonly Offer[]
  readonly wishes: Wishes
  readonly wish: (change: Partial<Wishes>) => void
}

export const NOTHING_WISHED: Wishes = {
  offer: '',
  serviceId: '',
  authType: 'basic',
  ttl: 'plan',
  allowedIps: '',
  capacity: 2,
  alias: '',
}

const ALIAS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$/

export interface Faults {
  readonly wrongAddresses: readonly string[]
  readonly wrongAlias: boolean
  readonly wrongCapacity: boolean
}

export function faultsOf({ allowedIps, alias, capacity }: Wishes): Faults {
  return {
    wrongAddresses: readAddresses(allowedIps).wrong,
    wrongAlias: !ALIAS.test(alias),
    wrongCapacity: !Number.isInteger(capacity) || capacity < 2 || capacity > 10,
  }
}

export function isFaultless({ wrongAddresses, wrongAlias, wrongCapacity }: Faults): boolean {
  return wrongAddresses.length === 0 && !wrongAlias && !wrongCapacity
}

/** Nobody is asked who calls, nor where from. */
export function isOpenToAll({ authType, allowedIps }: Wishes): boolean {
  return authType === 'none' && readAddresses(allowedIps).addresses.length === 0
}

/** What is sent. */
export function orderOf(kind: Kind, wishes: Wishes, now: Date) {
  const { serviceId, authType, ttl, allowedIps, capacity, alias } = wishes
  return {
    serviceId,
    authType,
    // Left out, it lasts as long as the plan.
    ...(ttl !== 'plan' && { ttl: ttlSeconds(ttl, now, now) }),
    allowedIps: readAddresses(allowedIps).addresses,
    ...(kind === 'cluster' && { capacity, ...(alias && { alias }) }),
  }
}
