import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { Caller } from '@trestle/contracts/caller'
import type { Permission } from '@trestle/contracts/permissions'

/** Bearer tokens of another issuer than this platform, which let in as well. */
export interface ForeignTokens {
  /** Whether the request presents one, by what it says itself. */
  isPresentedBy(request: IncomingMessage): boolean
  /** Throws a Problem; a promise only where it has to be verified. */
  admit(request: IncomingMessage): void | Promise<void>
}

/** `token` is a bearer token of somebody who has the permission in the organization, or a foreign one; the digest is the SHA-256 of `user:password`. */
export type RequiredCredentials =
  | { readonly type: 'none' }
  | { readonly type: 'token'; readonly permission: Permission; readonly foreign?: ForeignTokens }
  | { readonly type: 'basic'; readonly digest: Buffer }

/** Who may call a project or a workload. */
export interface AccessRules {
  /** The organization that owns it. */
  readonly organizationId: string
  /** Who created it. */
  readonly ownerId: string
  /** An administrator has disabled the user whose personal organization owns it: nobody may call then. */
  readonly isOwnerDisabled?: boolean
  readonly credentials: RequiredCredentials
  /** Left out: any. */
  readonly origins?: ReadonlySet<string>
  /** Left out: any. */
  readonly addresses?: BlockList
  /** Called with whoever presents a token that is required, again each time that an open connection is checked. */
  readonly onAdmitted?: (caller: Caller) => void
}
