import type { ClusterAuthType } from '@trestle/contracts/nodes/shapes'
import { readAddresses } from './addresses.js'
import type { Offer } from './services.js'
import { type Ttl, ttlSeconds } from './ttl.js'
import type { WorkloadKind } from './workload.js'

/** What is wanted, as the forms hold it. */
export interface WorkloadForm {
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
  readonly kind: WorkloadKind
  readonly offers: readonly Offer[]
  readonly wishes: WorkloadForm
  readonly wish: (change: Partial<WorkloadForm>) => void
}

export const EMPTY_FORM: WorkloadForm = {
  offer: '',
  serviceId: '',
  authType: 'basic',
  ttl: 'plan',
  allowedIps: '',
  capacity: 2,
  alias: '',
}

const ALIAS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$/

export interface WorkloadMistakes {
  readonly wrongAddresses: readonly string[]
  readonly wrongAlias: boolean
  readonly wrongCapacity: boolean
}

export function workloadMistakes({ allowedIps, alias, capacity }: WorkloadForm): WorkloadMistakes {
  return {
    wrongAddresses: readAddresses(allowedIps).wrong,
    wrongAlias: !ALIAS.test(alias),
    wrongCapacity: !Number.isInteger(capacity) || capacity < 2 || capacity > 10,
  }
}

export function hasNoMistakes({ wrongAddresses, wrongAlias, wrongCapacity }: WorkloadMistakes): boolean {
  return wrongAddresses.length === 0 && !wrongAlias && !wrongCapacity
}

/** Nobody is asked who calls, nor where from. */
export function isOpenToAll({ authType, allowedIps }: WorkloadForm): boolean {
  return authType === 'none' && readAddresses(allowedIps).addresses.length === 0
}

/** What is sent. */
export function workloadBody(kind: WorkloadKind, wishes: WorkloadForm, now: Date) {
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
