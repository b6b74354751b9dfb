import { z } from 'zod'
import { canInPath, endpoint } from '../endpoint.js'
import { Cursor, idOf, queryInteger, Timestamp } from '../fields.js'
import { APPROVABLE_PERMISSIONS } from '../permissions.js'
import { OrganizationId } from './organizations.js'
import { UserId } from './users.js'

const ApprovalId = idOf('approval')
const ApprovalState = z.enum(['pending', 'approved', 'refused', 'used', 'expired'])
export type ApprovalState = z.infer<typeof ApprovalState>

const call = {
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .max(2000)
    .regex(/^\/[\x21-\x7e]*$/, 'must be the path of a request, with its query, such as /nodes/users/me/nodes/<id>?purge=true'),
  body: z.record(z.string(), z.unknown()).optional(),
}

export const NewApproval = z
  .object(call)
  .meta({ id: 'NewApproval', description: 'The request that is to be approved, exactly as it will be sent.' })
export type NewApproval = z.infer<typeof NewApproval>

export const Approval = z
  .object({
    id: ApprovalId,
    organizationId: OrganizationId,
    ...call,
    summary: z.string().meta({ description: 'What the request does.' }),
    permission: z.enum(APPROVABLE_PERMISSIONS).meta({ description: 'What who approves must have.' }),
    state: ApprovalState.meta({ description: '`used`: only of requests to the accounts area.' }),
    requestedBy: UserId,
    createdAt: Timestamp,
    expiresAt: Timestamp.meta({
      description: 'Of a pending one: until then it can be decided. Of an approved one: until then it can be used.',
    }),
    decidedBy: UserId.optional(),
    decidedAt: Timestamp.optional(),
    token: z
      .string()
      .optional()
      .meta({ description: 'Of an approved one, for who asked for it: the value of the header Trestle-Approval.' }),
  })
  .meta({ id: 'Approval', description: 'That a second person approves a request, or is asked to.' })
export type Approval = z.infer<typeof Approval>

const Id = z.object({ id: z.string().max(100) })
const One = Id.extend({ approvalId: z.string().max(100) })

export const approvals = {
  request: endpoint({
    method: 'POST',
    path: '/organizations/{id}/approvals',
    creates: true,
    summary:
      'Ask for the approval of a request that you may make yourself. Of the same request, the reply is the approval that you have asked for already, until you have its token.',
    access: canInPath('organization:read'),
    audit: 'approval-requested',
    params: Id,
    body: NewApproval,
    status: 201,
    reply: Approval,
    problems: [
      'UnknownOrganization',
      'PersonalOrganization',
      'MissingRole',
      'NoApprovalNeeded',
      'TooFewApprovers',
      'LimitExceeded',
      'TooManyRequests',
    ],
  }),
  list: endpoint({
    method: 'GET',
    path: '/organizations/{id}/approvals',
    summary: 'The approvals of the last 30 days, newest first.',
    access: canInPath('organization:read'),
    params: Id,
    query: z.object({ limit: queryInteger(1, 100).default(50), cursor: Cursor.optional(), state: z.enum(['pending']).optional() }),
    status: 200,
    reply: z.array(Approval),
    problems: ['UnknownOrganization', 'PersonalOrganization', 'InvalidCursor'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/organizations/{id}/approvals/{approvalId}',
    summary: 'One of them; who asked for it gets its token here once it is approved.',
    access: canInPath('organization:read'),
    params: One,
    status: 200,
    reply: Approval,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'UnknownApproval'],
  }),
  decide: endpoint({
    method: 'PUT',
    path: '/organizations/{id}/approvals/{approvalId}',
    stepUp: true,
    summary: 'Approve or refuse what somebody else asks for, with the permission that it names. Who asks may only refuse it.',
    access: canInPath('organization:read'),
    audit: 'approval-decided',
    params: One,
    body: z.object({ decision: z.enum(['approved', 'refused']) }).meta({ id: 'ApprovalDecision' }),
    status: 200,
    reply: Approval,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'UnknownApproval', 'MissingRole', 'OwnApproval', 'AlreadyDecided'],
  }),
}
