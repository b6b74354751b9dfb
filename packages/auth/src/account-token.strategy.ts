import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { AuthConfig } from './auth-config.js'
import { type AccountClaims, readClaims } from './claims.js'
import { JwtStrategy, jwtOptions } from './jwt.strategy.js'
import { KeyStore } from './key-store.js'

/** Verifies an account access token, which speaks for a signed-in user. */
@Injectable()
export class AccountTokenStrategy extends PassportStrategy(JwtStrategy) {
  constructor(config: AuthConfig, keys: KeyStore) {
    super(jwtOptions('account', config, keys))
  }

  validate(payload: unknown): AccountClaims {
    return readClaims('account', payload, new Date())
  }
}
