import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { accountClaims, clientClaims } from '@trestle/auth/claims'
import type { ClientArea } from '@trestle/contracts/areas'
import type { LiveClient } from '../client-keys/client-key.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { FAMILIES, type Family } from '../signing-keys/signing-key.js'
import { SigningKeysService } from '../signing-keys/signing-keys.service.js'
import { parseEmail } from '../users/email.js'
import { issuerOf } from './issuer-url.js'
import { signJwt } from './jwt.js'
import { type RefreshClaims, refreshClaims } from './refresh-token.js'

export interface SignedInUser {
  readonly id: string
  /** In its canonical spelling. */
  readonly email: string
  readonly epoch: number
}

export interface Signed<C> {
  readonly token: string
  readonly claims: C
}

/** Signs the tokens; whether somebody may have one is decided before. */
@Injectable()
export class Issuer {
  readonly #issuer: string
  readonly #administrators: ReadonlySet<string | undefined>

  constructor(
    private readonly keys: SigningKeysService,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#issuer = issuerOf(env)
    this.#administrators = new Set(env.ADMINISTRATORS.map((address) => parseEmail(address)?.canonical))
  }

  async accountToken({ id, email, epoch }: SignedInUser, sessionId: string, now: Date): Promise<string> {
    const grant = { issuer: this.#issuer, userId: id, sessionId, epoch, administrator: this.#administrators.has(email), jti: tokenId() }
    return (await this.sign('account', accountClaims(grant, now))).token
  }

  async accessToken(client: LiveClient, scopes: readonly ClientArea[], now: Date): Promise<Signed<{ iat: number; exp: number }>> {
    const claims = clientClaims({ ...client, issuer: this.#issuer, scopes, jti: tokenId() }, now)
    return this.sign('client', endingWith(client, claims))
  }

  async refreshToken(client: LiveClient, scopes: readonly ClientArea[], now: Date): Promise<Signed<RefreshClaims>> {
    const claims = refreshClaims({ ...client, issuer: this.#issuer, scopes, jti: tokenId() }, now)
    return this.sign('refresh', endingWith(client, claims))
  }

  private async sign<C extends object>(family: Family, claims: C): Promise<Signed<C>> {
    return { token: signJwt(claims, FAMILIES[family].typ, await this.keys.active(family)), claims }
  }
}

/** No token outlives the key it was issued for. */
function endingWith<C extends { exp: number }>({ expiresAt }: LiveClient, claims: C): C {
  return expiresAt ? { ...claims, exp: Math.min(claims.exp, Math.floor(expiresAt.getTime() / 1000)) } : claims
}

function tokenId(): string {
  return randomBytes(16).toString('base64url')
}
