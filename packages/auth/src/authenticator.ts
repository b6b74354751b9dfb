import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { Access } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'
import { invalidToken, notManager } from './auth-problems.js'
import { bearerOf } from './bearer.js'
import { type Claims, callerOf, MANAGER } from './claims.js'
import { Revocations } from './revocations.js'
import { TokenVerifier } from './token-verifier.js'

/** The kinds of access that a bearer token gives. */
export type TokenAccess = Exclude<Access, 'public' | 'basic'>

/** A bearer token becomes a caller, or a refusal: for the guard, and for raw Fastify routes, which no guard sees. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly revocations: Revocations,
  ) {}

  async authenticate(request: Pick<FastifyRequest, 'raw'>, access: TokenAccess): Promise<Caller> {
    return this.admit(await this.tokens.verify(bearerOf(request.raw)), access)
  }

  /** At once, the caller whose token was looked at before and still opens this; undefined leaves it to `authenticate` to tell why. */
  known(request: IncomingMessage, access: TokenAccess): Caller | undefined {
    try {
      const claims = this.tokens.known(bearerOf(request))
      return claims && this.admit(claims, access)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }

  private admit(claims: Claims, access: TokenAccess): Caller {
    if (this.revocations.isRevoked(claims)) throw invalidToken('revoked')
    const caller = callerOf(claims)
    if (caller.kind === 'client' && access !== 'client') throw invalidToken('a client token where an account token is wanted')
    if (access === 'manager' && !caller.areas.includes(MANAGER)) throw notManager()
    return caller
  }
}
