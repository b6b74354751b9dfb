import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-jwt'
import { AuthConfig } from './auth-config.js'
import { type ClientClaims, readClaims } from './claims.js'
import { KeyStore } from './key-store.js'
import { tokenOptions } from './token-strategy.js'

/** Verifies a client access token (RFC 9068), which speaks for a client key of a user. */
@Injectable()
export class ClientTokenStrategy extends PassportStrategy(Strategy, 'client-token') {
  constructor(config: AuthConfig, keys: KeyStore) {
    super(tokenOptions('client', config, keys))
  }

  validate(payload: unknown): ClientClaims {
    return readClaims('client', payload, new Date())
  }
}
