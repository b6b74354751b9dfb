import { createHash } from 'node:crypto'
import type { ClusterAuthType, Image } from '@trestle/contracts/nodes/shapes'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { Blueprint } from '../catalogue/blueprint.js'
import { type GrantedPlan, isPersonal, type PlanHolder } from '../plans/granted-plan.js'
import type { WorkloadKind } from './workload.js'

/** The body of a request for a node, or for a cluster by service. */
type RequestedWorkload = (
  | { readonly image: Image; readonly large: boolean; readonly jwt: boolean }
  | { readonly serviceId: string; readonly authType: ClusterAuthType }
) & { readonly ttl?: number; readonly allowedIps: readonly string[]; readonly capacity?: number; readonly alias?: string }

export interface WorkloadOrder extends PlanHolder {
  readonly kind: WorkloadKind
  readonly requested: RequestedWorkload
  /** The caller's Idempotency-Key. */
  readonly requestKey?: string
}

export interface GatewayCredentials {
  readonly user: string
  readonly sealedPassword: Uint8Array<ArrayBuffer>
  readonly digest: Uint8Array<ArrayBuffer>
}

/** An Idempotency-Key, and a hash of the body that came with it. */
interface IdempotentRequest {
  readonly key: string
  readonly hash: Buffer
}

export interface NewWorkload {
  readonly id: string
  readonly kind: WorkloadKind
  readonly organizationId: string
  readonly userId: string
  readonly blueprint: Blueprint
  readonly capacity: number
  readonly alias?: string
  readonly auth: GatewayCredentials & { readonly type: ClusterAuthType }
  readonly allowedIps: readonly string[]
  /** One of these becomes its own. */
  readonly ports?: readonly [first: number, last: number]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly request?: IdempotentRequest
}

/** What is decided for a new workload before it is made. */
interface WorkloadTerms extends Pick<NewWorkload, 'id' | 'blueprint' | 'ports' | 'createdAt' | 'expiresAt'> {
  readonly credentials: GatewayCredentials
}

export function newWorkload(order: WorkloadOrder, { credentials, ...terms }: WorkloadTerms): NewWorkload {
  const { organizationId, userId, kind, requested } = order
  const { capacity = 1, alias, allowedIps } = requested
  const auth = { ...credentials, type: authTypeOf(requested) }
  return { ...terms, organizationId, userId, kind, capacity, alias, allowedIps, auth, request: requestOf(order) }
}

export function requestOf({ requested, requestKey, ...holder }: WorkloadOrder): IdempotentRequest | undefined {
  if (requestKey === undefined) return undefined
  // The release before hashed the body alone, of what belongs to personal organizations.
  const place = isPersonal(holder) ? '' : holder.organizationId
  return {
    key: requestKey,
    hash: createHash('sha256')
      .update(JSON.stringify(requested) + place)
      .digest(),
  }
}

/** How many nodes, or clusters, count against a plan; how many the user has created within 24 hours, removed ones among them. */
export interface WorkloadCounts {
  readonly owned: number
  readonly createdToday: number
}

/** Each may be replaced so many times a day: a removed one leaves its row, and cost a machine. */
const CREATED_A_DAY = 10
const MIN_CREATED_A_DAY = 50

/** Throws where there are as many as the plan grants, or the user created very many within 24 hours. */
export function checkQuota(kind: WorkloadKind, { owned, createdToday }: WorkloadCounts, plan: GrantedPlan): void {
  const max = maxOf(kind, plan)
  checkPlanRoom(kind, owned, plan)
  if (createdToday >= Math.max(MIN_CREATED_A_DAY, max * CREATED_A_DAY))
    throw new Problem('too-many', 'LimitExceeded', `You created ${createdToday} ${kind}s within 24 hours; create more tomorrow.`, {
      headers: retryAfter(3600),
    })
}

/** Throws where there are as many as the plan grants. */
export function checkPlanRoom(kind: WorkloadKind, owned: number, plan: GrantedPlan): void {
  const max = maxOf(kind, plan)
  if (owned >= max) throw new Problem('forbidden', 'LimitExceeded', `You have ${owned} of at most ${max} ${kind}s: ${remedy(owned)}.`)
}

function maxOf(kind: WorkloadKind, { nodes, clusters }: GrantedPlan): number {
  return kind === 'node' ? nodes : clusters
}

function remedy(owned: number): string {
  const grant = 'ask an administrator of this platform for a larger plan'
  return owned === 0 ? grant : `remove one first, or ${grant}`
}

function authTypeOf(requested: RequestedWorkload): ClusterAuthType {
  if ('authType' in requested) return requested.authType
  return requested.jwt ? 'jwt' : 'basic'
}
