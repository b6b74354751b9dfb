import type { ClusterAuthType } from '@trestle/contracts/nodes/shapes'
import { changeField, type FieldChange } from '../parts/form.js'
import { readAddresses } from './addresses.js'
import type { Offer } from './services.js'
import { type Ttl, ttlSeconds } from './ttl.js'
import type { NodeOrClusterKind } from './workload.js'

export interface WorkloadForm {
  /** The id of the offer. */
  readonly offer: string
  readonly serviceId: string
  readonly authType: ClusterAuthType
  readonly ttl: Ttl
  /** As typed. */
  readonly allowedIps: string
  readonly capacity: number
  readonly alias: string
}

export const WIZARD_STEPS = ['chain', 'size', 'review'] as const

export interface WizardState {
  /** An index of `WIZARD_STEPS`. */
  readonly step: number
  readonly form: WorkloadForm
}

export type WizardEvent =
  | FieldChange<WorkloadForm>
  | { readonly type: 'chose offer'; readonly offer: Offer }
  | { readonly type: 'went to'; readonly step: number }

export const EMPTY_FORM: WorkloadForm = {
  offer: '',
  serviceId: '',
  authType: 'basic',
  ttl: 'plan',
  allowedIps: '',
  capacity: 2,
  alias: '',
}

export const FIRST_STEP: WizardState = { step: 0, form: EMPTY_FORM }

export function reduceWizard(state: WizardState, event: WizardEvent): WizardState {
  switch (event.type) {
    case 'changed':
      return { ...state, form: changeField(state.form, event) }
    case 'chose offer':
      return { ...state, form: { ...state.form, offer: event.offer.id, serviceId: smallestOf(event.offer) } }
    case 'went to':
      return { ...state, step: Math.max(0, Math.min(event.step, reachableStep(state.form))) }
  }
}

/** The properties of each step of the wizard. */
export interface StepProps {
  readonly kind: NodeOrClusterKind
  readonly offers: readonly Offer[]
  readonly form: WorkloadForm
  readonly dispatch: (event: WizardEvent) => void
}

export function isStepComplete(step: number, form: WorkloadForm): boolean {
  return step === 0 ? form.offer !== '' : form.serviceId !== '' && hasNoMistakes(workloadMistakes(form))
}

/** The last step whose predecessors are complete. */
function reachableStep(form: WorkloadForm): number {
  const open = WIZARD_STEPS.findIndex((_, step) => !isStepComplete(step, form))
  return open === -1 ? WIZARD_STEPS.length - 1 : open
}

/** Offers list their services from the smallest up; some may be unavailable. */
function smallestOf({ services }: Offer): string {
  return services.find(({ missing }) => missing === null)?.id ?? ''
}

const ALIAS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$/

export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

export function isCapacity(capacity: number): boolean {
  return Number.isInteger(capacity) && capacity >= 2 && capacity <= 10
}

interface WorkloadMistakes {
  readonly wrongAddresses: readonly string[]
  readonly wrongAlias: boolean
  readonly wrongCapacity: boolean
}

export function workloadMistakes({ allowedIps, alias, capacity }: WorkloadForm): WorkloadMistakes {
  return { wrongAddresses: readAddresses(allowedIps).wrong, wrongAlias: !isAlias(alias), wrongCapacity: !isCapacity(capacity) }
}

export function hasNoMistakes({ wrongAddresses, wrongAlias, wrongCapacity }: WorkloadMistakes): boolean {
  return wrongAddresses.length === 0 && !wrongAlias && !wrongCapacity
}

/** Neither credentials nor an address list protects it. */
export function isOpenToAll({ authType, allowedIps }: WorkloadForm): boolean {
  return authType === 'none' && readAddresses(allowedIps).addresses.length === 0
}

export function workloadBody(kind: NodeOrClusterKind, form: WorkloadForm, now: Date) {
  const { serviceId, authType, ttl, allowedIps, capacity, alias } = form
  return {
    serviceId,
    authType,
    // Without one it lasts as long as the plan.
    ...(ttl !== 'plan' && { ttl: ttlSeconds(ttl, now, now) }),
    allowedIps: readAddresses(allowedIps).addresses,
    ...(kind === 'cluster' && { capacity, ...(alias && { alias }) }),
  }
}
