import type { Permission } from './permissions.js'

/** What a client key may ask, and from where. */
export interface KeyLimits {
  readonly perSecond?: number
  readonly perDay?: number
  /** Addresses and CIDR blocks; undefined: any. */
  readonly allowedIps?: readonly string[]
}

/** That a second person has approved one request of a member of an organization. */
export interface VerifiedApproval {
  readonly id: string
  readonly organizationId: string
  readonly permission: Permission
  readonly approverId: string
}

/** Whom a verified bearer token authenticates. */
export interface Caller {
  readonly kind: 'account' | 'client'
  readonly userId: string
  /** The client key, when `kind` is `client`. */
  readonly clientId?: string
  /** The session, when `kind` is `account`. */
  readonly sessionId?: string
  /** The organization that the request is about: of the key, or chosen by the request, or the user's own. */
  readonly organizationId: string
  /** What the caller may do there. */
  readonly permissions: ReadonlySet<Permission>
  /** The organization demands a second factor, and the caller has proven none: `permissions` is empty. */
  readonly lacksFactor?: true
  /** Of a second person for this request, which was verified. */
  readonly approval?: VerifiedApproval
  /** The token's `aud`. */
  readonly areas: readonly string[]
  /** Of a client key that has any. */
  readonly limits?: KeyLimits
  /** When a second factor was proven, in epoch seconds; undefined for a user who has none. */
  readonly factorProvenAt?: number
  /** How the user was authenticated: the token's `amr` (RFC 8176). */
  readonly methods?: readonly string[]
  /** The token's `exp`, in epoch seconds. */
  readonly expiresAt: number
}
