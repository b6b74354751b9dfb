import { hash } from 'node:crypto'
import { OrganizationId } from '@trestle/contracts/accounts/organizations'
import { UserId } from '@trestle/contracts/accounts/users'
import type { Area } from '@trestle/contracts/areas'
import { canonicalBody } from '@trestle/contracts/canonical-body'
import { Permission } from '@trestle/contracts/permissions'
import { z } from 'zod'

/** Signed with the keys of account tokens; type and audience keep one from passing for the other. */
export const APPROVAL_TYPE = 'approval+jwt'
export const APPROVAL_LIFETIME_SECONDS = 3600

export const ApprovalClaims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  /** Who asked, and alone may use it. */
  sub: UserId,
  iat: z.int(),
  exp: z.int(),
  /** The id of the approval. */
  jti: z.string().min(1).max(100),
  org: OrganizationId,
  permission: Permission,
  /** Who approved, and their epoch then: whatever ends all their sessions ends what they approved. */
  approver: UserId,
  approver_ep: z.int().nonnegative(),
  method: z.string().max(10),
  /** With the query, without the base path. */
  path: z.string().max(2000),
  /** SHA-256 of the canonical JSON (RFC 8785) of the body; absent without one. */
  body: z.string().max(100).optional(),
})
export type ApprovalClaims = z.infer<typeof ApprovalClaims>

export function approvalAudience(area: Area): string {
  return `approval:${area}`
}

export function bodyDigest(body: unknown): string | undefined {
  return body === undefined ? undefined : hash('sha256', canonicalBody(body), 'base64url')
}
