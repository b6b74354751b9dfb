import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { ApiBudget } from '@trestle/auth/api-budget.engine'
import { accountClaims, clientClaims, type FactorProof } from '@trestle/auth/claims'
import type { Scope } from '@trestle/contracts/permissions'
import type { LiveClient } from '../client-keys/client-key.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KEY_FAMILIES, type KeyFamily } from '../signing-keys/signing-key.js'
import { SigningKeysService } from '../signing-keys/signing-keys.service.js'
import { parseEmail } from '../users/email.js'
import { issuerOf } from './issuer-url.js'
import { signJwt } from './jwt.js'
import { type RefreshClaims, refreshClaims } from './refresh-token.js'

interface TokenSubject {
  readonly id: string
  /** In its canonical spelling. */
  readonly email: string
  readonly epoch: number
}

interface TokenSession {
  readonly sessionId: string
  readonly proof?: FactorProof
  /** Of the session, where the token is not its first. */
  readonly expiresAt?: Date
}

interface SignedToken<C> {
  readonly token: string
  readonly claims: C
}

/** Signs tokens; whoever calls it has decided who may have one. */
@Injectable()
export class IssuerService {
  readonly #issuer: string
  readonly #administrators: ReadonlySet<string | undefined>
  readonly #administratorsNeedFactor: boolean

  constructor(
    private readonly keys: SigningKeysService,
    private readonly budget: ApiBudget,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#issuer = issuerOf(env)
    this.#administratorsNeedFactor = env.ADMINISTRATORS_NEED_FACTOR
    this.#administrators = new Set(env.ADMINISTRATORS.map((address) => parseEmail(address)?.canonical))
  }

  /** An administrator without a second factor gets a token without administration, unless the operator has allowed it. */
  async accountToken({ id, email, epoch }: TokenSubject, session: TokenSession, now: Date): Promise<string> {
    const administrator = this.#administrators.has(email)
    const lacksFactor = this.#administratorsNeedFactor && !session.proof
    const grant = { issuer: this.#issuer, userId: id, ...session, epoch, administrator, lacksFactor, jti: tokenId() }
    return (await this.sign('account', accountClaims(grant, now))).token
  }

  /** Problem `TooManyRequests` where a client key, whose owner may have many, is exchanged far too often. */
  async accessToken(client: LiveClient, scopes: readonly Scope[], now: Date): Promise<SignedToken<{ iat: number; exp: number }>> {
    this.budget.spend('token', client.clientId)
    const claims = clientClaims({ ...client, issuer: this.#issuer, scopes, jti: tokenId() }, now)
    return this.sign('client', endingWith(client, claims))
  }

  async refreshToken(client: LiveClient, scopes: readonly Scope[], now: Date): Promise<SignedToken<RefreshClaims>> {
    const claims = refreshClaims({ ...client, issuer: this.#issuer, scopes, jti: tokenId() }, now)
    return this.sign('refresh', endingWith(client, claims))
  }

  private async sign<C extends object>(family: KeyFamily, claims: C): Promise<SignedToken<C>> {
    return { token: signJwt(claims, KEY_FAMILIES[family].typ, await this.keys.active(family)), claims }
  }
}

/** No token outlives the client key that it was issued for. */
function endingWith<C extends { exp: number }>({ expiresAt }: LiveClient, claims: C): C {
  return expiresAt ? { ...claims, exp: Math.min(claims.exp, Math.floor(expiresAt.getTime() / 1000)) } : claims
}

function tokenId(): string {
  return randomBytes(16).toString('base64url')
}
