import { Inject, Injectable } from '@nestjs/common'
import { CLOCK_TOLERANCE_SECONDS, ClientClaims } from '@trestle/auth/claims'
import { Clock } from '@trestle/runtime/clock'
import { type CompactJWSHeaderParameters, errors, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { z } from 'zod'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KEY_FAMILIES } from '../signing-keys/signing-key.js'
import { SigningKeysService, type VerificationKey } from '../signing-keys/signing-keys.service.js'
import { issuerOf } from './issuer-url.js'
import { RefreshClaims } from './refresh-token.js'

interface ClaimsOf {
  client: ClientClaims
  refresh: RefreshClaims
}
const CLAIMS: { readonly [F in keyof ClaimsOf]: z.ZodType<ClaimsOf[F]> } = { client: ClientClaims, refresh: RefreshClaims }

/** Verifies tokens that are sent to the token endpoints; the guards of the areas verify bearer tokens. */
@Injectable()
export class TokenReaderService {
  readonly #issuer: string

  constructor(
    private readonly keys: SigningKeysService,
    private readonly clock: Clock,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#issuer = issuerOf(env)
  }

  /** The claims of a token of this family; undefined if it is not one, was not signed here or has expired. */
  async read<F extends keyof ClaimsOf>(family: F, token: string): Promise<ClaimsOf[F] | undefined> {
    const payload = await this.verify(token, KEY_FAMILIES[family].typ, await this.keys.published(family))
    return CLAIMS[family].safeParse(payload).data
  }

  private async verify(token: string, typ: string, keys: readonly VerificationKey[]): Promise<object | undefined> {
    const checks: JWTVerifyOptions = {
      algorithms: ['ES256'],
      typ,
      issuer: this.#issuer,
      currentDate: this.clock.now(),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    }
    try {
      return (await jwtVerify(token, ({ kid }: CompactJWSHeaderParameters) => keyOf(keys, kid), checks)).payload
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}

function keyOf(keys: readonly VerificationKey[], kid: string | undefined): VerificationKey['publicKey'] {
  const key = keys.find((candidate) => candidate.kid === kid)
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key.publicKey
}
