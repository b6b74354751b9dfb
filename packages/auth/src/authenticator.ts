import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import { type Access, credentialsOf } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'
import { merge, type Observable } from 'rxjs'
import { AuthConfig } from './auth-config.js'
import { invalidToken, managerLacksFactor, missingPermission, notManager, organizationNeedsFactor, tokenExpired } from './auth-problems.js'
import { Authorization } from './authorization.js'
import { bearerOf } from './bearer.js'
import { type Claims, isExpired, lacksFactor, MANAGER } from './claims.js'
import { Revocations } from './revocations.js'
import { VerifiedTokens } from './verified-tokens.js'

/** The kinds of access that a bearer token gives. */
export type TokenAccess = Exclude<Access, 'public' | 'basic'>

/** The caller that a bearer token speaks for: for the guard of all endpoints, and for raw Fastify routes, which have no guards. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly verified: VerifiedTokens,
    private readonly revocations: Revocations,
    private readonly authorization: Authorization,
    private readonly config: AuthConfig,
  ) {}

  /** Emits when callers that were admitted before may have to go: whoever keeps a connection open authenticates it again. */
  get changes(): Observable<void> {
    return merge(this.revocations.changes, this.authorization.changes)
  }

  async authenticate(request: Pick<FastifyRequest, 'raw'>, access: TokenAccess): Promise<Caller> {
    const token = bearerOf(request.raw)
    return this.admit(await this.verified.verify(token), access, request.raw)
  }

  /** For what stays open: throws as soon as the token gives this access no more. The tolerance of clocks is for tokens that arrive. */
  async recheck(request: Pick<FastifyRequest, 'raw'>, access: TokenAccess): Promise<void> {
    const { expiresAt } = await this.authenticate(request, access)
    if (Date.now() >= expiresAt * 1000) throw tokenExpired(this.config.expiredStatus)
  }

  /** The caller at once, if the token was verified before and still gives this access; undefined leaves the reason to `authenticate`. */
  known(request: IncomingMessage, access: TokenAccess): Caller | undefined {
    try {
      const claims = this.verified.find(bearerOf(request), request.socket)
      return claims && this.admit(claims, access, request)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }

  private admit(claims: Claims, access: TokenAccess, request: IncomingMessage): Caller {
    if (isExpired(claims, new Date())) throw tokenExpired(this.config.expiredStatus)
    if (this.revocations.isRevoked(claims)) throw invalidToken('revoked')
    const credentials = credentialsOf(access)
    if ('client_id' in claims && credentials !== 'client') throw invalidToken('a client token on an endpoint for account tokens')
    if (credentials === 'manager' && !claims.aud.includes(MANAGER)) throw lacksFactor(claims) ? managerLacksFactor() : notManager()
    const caller = this.authorization.callerOf(claims, request)
    if (typeof access === 'object' && !access.organization && !caller.permissions.has(access.permission))
      throw caller.lacksFactor ? organizationNeedsFactor() : missingPermission(access.permission)
    return caller
  }
}
