import { APPROVAL_LIFETIME_SECONDS, type ApprovalClaims, approvalAudience, bodyDigest } from '@trestle/auth/approval-claims'
import type { ApprovalState, Approval as DescribedApproval, NewApproval } from '@trestle/contracts/accounts/approvals'
import { type ApprovableCall, approvableCall } from '@trestle/contracts/approvable-call'
import { canonicalBody } from '@trestle/contracts/canonical-body'
import type { ApprovablePermission } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'

const PENDING_MS = 24 * 3600_000
const USABLE_MS = APPROVAL_LIFETIME_SECONDS * 1000
const MAX_PENDING = 100
const MAX_PENDING_OF_MEMBER = 20

export type Decision = 'approved' | 'refused'

/** What was decided, by whom and when. */
interface DecisionRecord {
  readonly decision: Decision
  readonly decidedBy: string
  readonly decidedAt: Date
  /** Of who decided: whatever ends all their sessions ends the approval. */
  readonly deciderEpoch: number
}

export interface ApprovalRecord {
  readonly id: string
  readonly organizationId: string
  readonly permission: ApprovablePermission
  readonly method: NewApproval['method']
  readonly path: string
  /** Canonical JSON; null without one. */
  readonly body: string | null
  readonly requestedBy: string
  readonly createdAt: Date
  readonly decided?: DecisionRecord
  /** When its token was first given out. */
  readonly collectedAt: Date | null
  /** When it was used, of a request to this area. */
  readonly usedAt: Date | null
}

/** The call that is to be approved; Problem `NoApprovalNeeded` for any other. */
export function requireApprovable({ method, path }: NewApproval, organizationId: string, approvals: readonly string[]): ApprovableCall {
  const call = approvableCall(method, path)
  if (!call)
    throw noApprovalNeeded(
      'No endpoint that could need an approval has this method and path. Give the path of the whole platform, such as /nodes/users/me/nodes/<id>.',
    )
  if (!approvals.includes(call.permission))
    throw noApprovalNeeded(`The organization demands no approval for ${call.permission}: send the request.`)
  const { access } = call.endpoint
  if (typeof access === 'object' && access.organization === 'path' && call.params.id !== organizationId)
    throw noApprovalNeeded('The path names another organization.')
  return call
}

export function newApproval(
  id: string,
  {
    organizationId,
    requestedBy,
    permission,
    sent,
  }: Pick<ApprovalRecord, 'organizationId' | 'requestedBy' | 'permission'> & { sent: NewApproval },
  now: Date,
): ApprovalRecord {
  const { method, path, body } = sent
  const request = { method, path, body: body === undefined ? null : canonicalBody(body) }
  return { id, organizationId, permission, ...request, requestedBy, createdAt: now, collectedAt: null, usedAt: null }
}

function stateOf({ createdAt, decided, usedAt }: ApprovalRecord, now: Date): ApprovalState {
  if (usedAt) return 'used'
  if (decided?.decision === 'refused') return 'refused'
  if (now >= endOf({ createdAt, decided })) return 'expired'
  return decided ? 'approved' : 'pending'
}

/** What was asked for before waits no longer. */
export function pendingSince(now: Date): Date {
  return new Date(now.getTime() - PENDING_MS)
}

/** Whether somebody who asks for the same request again is given this one. */
export function isSameRequest(record: ApprovalRecord, other: ApprovalRecord, now: Date): boolean {
  const state = stateOf(record, now)
  const isOpen = state === 'pending' || (state === 'approved' && !record.collectedAt)
  const { requestedBy, method, path, body } = other
  return isOpen && record.requestedBy === requestedBy && record.method === method && record.path === path && record.body === body
}

/** Problem `LimitExceeded` where too many wait already. */
export function requireRoomForApproval(open: readonly ApprovalRecord[], requestedBy: string, now: Date): void {
  const pending = open.filter((each) => stateOf(each, now) === 'pending')
  const own = pending.filter((each) => each.requestedBy === requestedBy).length
  if (pending.length >= MAX_PENDING || own >= MAX_PENDING_OF_MEMBER)
    throw new Problem(
      'conflict',
      'LimitExceeded',
      `At most ${MAX_PENDING} requests of an organization, and ${MAX_PENDING_OF_MEMBER} of a member, wait for approval.`,
    )
}

/** Nobody approves what they ask for themselves; they may take it back. */
export function checkDecision(record: ApprovalRecord, userId: string, { decision, now }: { decision: Decision; now: Date }): void {
  if (decision === 'approved' && record.requestedBy === userId)
    throw new Problem('forbidden', 'OwnApproval', 'Somebody else has to approve what you ask for.')
  if (stateOf(record, now) !== 'pending') throw new Problem('conflict', 'AlreadyDecided', 'It was decided already, or has expired.')
}

export function describeApproval(record: ApprovalRecord, now: Date, token?: string): DescribedApproval {
  const { id, organizationId, permission, method, path, body, requestedBy, createdAt, decided } = record
  return {
    id,
    organizationId,
    method,
    path,
    ...(body !== null && { body: JSON.parse(body) }),
    // An endpoint of the release before may be gone.
    summary: approvableCall(method, path)?.endpoint.summary ?? '',
    permission,
    state: stateOf(record, now),
    requestedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: endOf(record).toISOString(),
    ...(decided && { decidedBy: decided.decidedBy, decidedAt: decided.decidedAt.toISOString() }),
    ...(token && { token }),
  }
}

/** What the token of an approved one says; undefined of any other. */
export function approvalClaimsOf(record: ApprovalRecord, issuer: string, now: Date): ApprovalClaims | undefined {
  const { id, organizationId, permission, method, path, body, requestedBy, decided } = record
  const call = approvableCall(method, path)
  if (!call || !decided || stateOf(record, now) !== 'approved') return undefined
  const iat = Math.floor(decided.decidedAt.getTime() / 1000)
  return {
    iss: issuer,
    aud: approvalAudience(call.area),
    sub: requestedBy,
    iat,
    exp: iat + APPROVAL_LIFETIME_SECONDS,
    jti: id,
    org: organizationId,
    permission,
    approver: decided.decidedBy,
    approver_ep: decided.deciderEpoch,
    method,
    path: call.path,
    body: body === null ? undefined : bodyDigest(JSON.parse(body)),
  }
}

export function unknownApproval(): Problem {
  return new Problem('unknown', 'UnknownApproval', 'The organization has no approval with this id.')
}

function noApprovalNeeded(detail: string): Problem {
  return new Problem('invalid', 'NoApprovalNeeded', detail)
}

/** Until when it can be decided, or, once approved, used. */
function endOf({ createdAt, decided }: Pick<ApprovalRecord, 'createdAt' | 'decided'>): Date {
  return decided ? new Date(decided.decidedAt.getTime() + USABLE_MS) : new Date(createdAt.getTime() + PENDING_MS)
}
