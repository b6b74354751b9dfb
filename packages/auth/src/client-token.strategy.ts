import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { AuthConfig } from './auth-config.js'
import { type ClientClaims, readClaims } from './claims.js'
import { JwtStrategy, jwtOptions } from './jwt.strategy.js'
import { KeyStore } from './key-store.js'

/** Verifies a client access token (RFC 9068), which speaks for a client key of a user. */
@Injectable()
export class ClientTokenStrategy extends PassportStrategy(JwtStrategy) {
  constructor(config: AuthConfig, keys: KeyStore) {
    super(jwtOptions('client', config, keys))
  }

  validate(payload: unknown): ClientClaims {
    return readClaims('client', payload, new Date())
  }
}
