import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-jwt'
import { AuthConfig } from './auth-config.js'
import { type AccountClaims, readClaims } from './claims.js'
import { KeyStore } from './key-store.js'
import { tokenOptions } from './token-strategy.js'

/** Verifies an account access token, which speaks for a signed-in user. */
@Injectable()
export class AccountTokenStrategy extends PassportStrategy(Strategy, 'account-token') {
  constructor(config: AuthConfig, keys: KeyStore) {
    super(tokenOptions('account', config, keys))
  }

  validate(payload: unknown): AccountClaims {
    return readClaims('account', payload, new Date())
  }
}
