import type { BlockList } from 'node:net'

/** `token` is a bearer token of the owner; the digest is the SHA-256 of `user:password`. */
export type RequiredCredentials = { readonly type: 'none' | 'token' } | { readonly type: 'basic'; readonly digest: Buffer }

/** Who may call a project or a workload. */
export interface AccessRules {
  readonly ownerId: string
  /** By an administrator: nobody may call then. */
  readonly isOwnerDisabled?: boolean
  readonly credentials: RequiredCredentials
  /** Left out: any. */
  readonly origins?: ReadonlySet<string>
  /** Left out: any. */
  readonly addresses?: BlockList
}
