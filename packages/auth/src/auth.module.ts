import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { AccountTokenStrategy } from './account-token.strategy.js'
import { AccountsKeysClient } from './accounts-keys.client.js'
import { AccountsMembershipsClient } from './accounts-memberships.client.js'
import { AccountsRevocationsClient } from './accounts-revocations.client.js'
import { ApiBudget } from './api-budget.engine.js'
import { ApprovalGuard } from './approval.guard.js'
import { Approvals } from './approvals.js'
import { AuthConfig } from './auth-config.js'
import { AuthDataAge } from './auth-data-age.js'
import { Authenticator } from './authenticator.js'
import { Authorization } from './authorization.js'
import { BearerGuard } from './bearer.guard.js'
import { ClientTokenStrategy } from './client-token.strategy.js'
import { KeyRestrictions } from './key-restrictions.engine.js'
import { KeySource, KeyStore } from './key-store.js'
import { MembershipSource, Memberships } from './memberships.js'
import { OpenStreams } from './open-streams.js'
import { RevocationSource, Revocations } from './revocations.js'
import { TokenGuard } from './token.guard.js'
import { VerifiedTokens } from './verified-tokens.js'

export interface AuthOptions extends Pick<AuthConfig, 'area' | 'issuer' | 'accountsInternalUrl'> {
  expiredStatus?: 401 | 403
  /** Multiplies what one caller may ask of a process; without it nothing is limited. */
  apiBudgetFactor?: number
  /** For the accounts service, which reads its own keys, revocations and memberships. */
  keySource?: Type<KeySource>
  revocationSource?: Type<RevocationSource>
  membershipSource?: Type<MembershipSource>
  /** The modules that those need. */
  imports?: ModuleMetadata['imports']
}

/** A global guard: each endpoint's contract decides who may call it. */
@Module({})
export class AuthModule {
  static forRoot({
    expiredStatus = 401,
    apiBudgetFactor = Number.POSITIVE_INFINITY,
    imports = [],
    keySource,
    revocationSource,
    membershipSource,
    ...options
  }: AuthOptions): DynamicModule {
    const config: AuthConfig = { ...options, expiredStatus }
    return {
      module: AuthModule,
      global: true,
      imports,
      providers: [
        { provide: AuthConfig, useValue: config },
        { provide: KeySource, useClass: keySource ?? AccountsKeysClient },
        { provide: RevocationSource, useClass: revocationSource ?? AccountsRevocationsClient },
        { provide: ApiBudget, useValue: new ApiBudget(apiBudgetFactor) },
        { provide: MembershipSource, useClass: membershipSource ?? AccountsMembershipsClient },
        KeyRestrictions,
        AuthDataAge,
        KeyStore,
        Revocations,
        Memberships,
        Approvals,
        Authorization,
        AccountTokenStrategy,
        ClientTokenStrategy,
        TokenGuard,
        VerifiedTokens,
        Authenticator,
        OpenStreams,
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: ApprovalGuard },
      ],
      exports: [ApiBudget, Authenticator, Authorization, KeyRestrictions, KeyStore, Memberships, OpenStreams, Revocations],
    }
  }
}
