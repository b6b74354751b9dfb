import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import { type Permission, personalOrganizationOf } from '@trestle/contracts/permissions'
import type { Observable } from 'rxjs'
import { approvalRequired, missingPermission, organizationNeedsFactor, otherOrganization, unknownOrganization } from './auth-problems.js'
import { type Claims, type ClientClaims, limitsOfToken, permissionsOfToken } from './claims.js'
import { Memberships } from './memberships.js'
import { chosenOrganization } from './organization-choice.js'
import { lacksFactorFor } from './step-up.js'

const NOTHING: ReadonlySet<Permission> = new Set()

/** What callers may do in the organization that a request is about: decided from claims and from memory. */
@Injectable()
export class Authorization {
  // The claims of a verified token are one object for as long as it is used, and so are the permissions of members with the same roles.
  readonly #ofKeys = new WeakMap<ClientClaims, { of: ReadonlySet<Permission>; permissions: ReadonlySet<Permission> }>()

  constructor(private readonly memberships: Memberships) {}

  /** Emits when somebody's permissions have changed. */
  get changes(): Observable<void> {
    return this.memberships.changes
  }

  /** Throws Problem `UnknownOrganization` if the caller is no member of the organization that the request chose. */
  callerOf(claims: Claims, request: IncomingMessage): Caller {
    const { sub: userId, aud: areas, exp: expiresAt } = claims
    const chosen = chosenOrganization(request)
    if (!('client_id' in claims)) {
      const organizationId = chosen ?? personalOrganizationOf(userId)
      const permissions = this.permissionsOf(userId, organizationId)
      const { sid: sessionId, auth_time: factorProvenAt, amr: methods } = claims
      const caller = { kind: 'account', userId, sessionId, organizationId, permissions, factorProvenAt, methods, areas, expiresAt } as const
      return this.lacksFactor(caller, organizationId) ? { ...caller, permissions: NOTHING, lacksFactor: true } : caller
    }
    const organizationId = claims.org ?? personalOrganizationOf(userId)
    if (chosen !== undefined && chosen !== organizationId) throw otherOrganization()
    const permissions = this.permissionsOfKey(claims, this.permissionsOf(userId, organizationId))
    const limits = limitsOfToken(claims)
    return { kind: 'client', userId, clientId: claims.client_id, organizationId, permissions, areas, limits, expiresAt }
  }

  /** Whether a caller may do something in an organization, whichever the request chose: for what is called by its own id. */
  allows(caller: Caller, permission: Permission, organizationId: string): boolean {
    return this.permits(caller, permission, organizationId) && !this.lacksApproval(caller, permission, organizationId)
  }

  /** Throws a Problem unless the caller may do something in an organization, whichever the request chose. */
  require(caller: Caller, permission: Permission, organizationId: string): void {
    if (this.allows(caller, permission, organizationId)) return
    if (organizationId !== caller.organizationId && !this.memberships.permissionsOf(caller.userId, organizationId))
      throw unknownOrganization()
    this.requireFactor(caller, organizationId)
    throw this.permits(caller, permission, organizationId) ? approvalRequired(organizationId, permission) : missingPermission(permission)
  }

  /** Throws Problem `FactorRequired` where the organization demands a second factor and the caller has proven none. */
  requireFactor(caller: Caller, organizationId: string): void {
    if (this.lacksFactor(caller, organizationId)) throw organizationNeedsFactor()
  }

  private permits(caller: Caller, permission: Permission, organizationId: string): boolean {
    if (organizationId === caller.organizationId) return caller.permissions.has(permission)
    if (caller.kind !== 'account' || this.lacksFactor(caller, organizationId)) return false
    return this.memberships.permissionsOf(caller.userId, organizationId)?.has(permission) ?? false
  }

  /** Whether the organization demands the approval of a second person for this, and the request has none. */
  private lacksApproval({ userId, approval }: Caller, permission: Permission, organizationId: string): boolean {
    if (!this.memberships.policyOf(userId, organizationId).approvals.has(permission)) return false
    return approval?.organizationId !== organizationId || approval.permission !== permission
  }

  private lacksFactor(caller: Caller, organizationId: string): boolean {
    return lacksFactorFor(caller, this.memberships.policyOf(caller.userId, organizationId))
  }

  private permissionsOf(userId: string, organizationId: string): ReadonlySet<Permission> {
    const permissions = this.memberships.permissionsOf(userId, organizationId)
    if (!permissions) throw unknownOrganization()
    return permissions
  }

  /** A key may do what its scopes and its user may do. */
  private permissionsOfKey(claims: ClientClaims, of: ReadonlySet<Permission>): ReadonlySet<Permission> {
    const known = this.#ofKeys.get(claims)
    if (known?.of === of) return known.permissions
    const ofToken = permissionsOfToken(claims)
    const permissions = new Set([...of].filter((permission) => ofToken.has(permission)))
    this.#ofKeys.set(claims, { of, permissions })
    return permissions
  }
}
