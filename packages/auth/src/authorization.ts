import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import { type Permission, personalOrganizationOf } from '@trestle/contracts/permissions'
import type { Observable } from 'rxjs'
import { missingPermission, otherOrganization, unknownOrganization } from './auth-problems.js'
import { type Claims, type ClientClaims, limitsOfToken, permissionsOfToken } from './claims.js'
import { Memberships } from './memberships.js'
import { chosenOrganization } from './organization-choice.js'

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
      return { kind: 'account', userId, sessionId, organizationId, permissions, factorProvenAt, methods, areas, expiresAt }
    }
    const organizationId = claims.org ?? personalOrganizationOf(userId)
    if (chosen !== undefined && chosen !== organizationId) throw otherOrganization()
    const permissions = this.permissionsOfKey(claims, this.permissionsOf(userId, organizationId))
    const limits = limitsOfToken(claims)
    return { kind: 'client', userId, clientId: claims.client_id, organizationId, permissions, areas, limits, expiresAt }
  }

  /** Whether a caller may do something in an organization, whichever the request chose: for what is called by its own id. */
  allows({ kind, userId, organizationId: chosen, permissions }: Caller, permission: Permission, organizationId: string): boolean {
    if (organizationId === chosen) return permissions.has(permission)
    return kind === 'account' && (this.memberships.permissionsOf(userId, organizationId)?.has(permission) ?? false)
  }

  /** Throws a Problem unless the caller may do something in an organization, whichever the request chose. */
  require(caller: Caller, permission: Permission, organizationId: string): void {
    if (this.allows(caller, permission, organizationId)) return
    if (organizationId !== caller.organizationId && !this.memberships.permissionsOf(caller.userId, organizationId))
      throw unknownOrganization()
    throw missingPermission(permission)
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
