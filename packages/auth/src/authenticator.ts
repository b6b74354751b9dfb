import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { Access } from '@trestle/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from './bearer.js'
import { callerOf, MANAGER } from './claims.js'
import { invalidToken, notManager } from './refusals.js'
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
    const claims = await this.tokens.verify(bearerOf(request.raw))
    if (this.revocations.isRevoked(claims)) throw invalidToken('revoked')
    const caller = callerOf(claims)
    if (caller.kind === 'client' && access !== 'client') throw invalidToken('a client token where an account token is wanted')
    if (access === 'manager' && !caller.areas.includes(MANAGER)) throw notManager()
    return caller
  }
}
