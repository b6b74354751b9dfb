import { type DynamicModule, Module } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { accounts } from '@trestle/contracts/accounts/api'
import { deploymentsOf } from '@trestle/contracts/areas'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { MESSAGES } from '@trestle/contracts/nats/messages'
import { streamPlans } from '@trestle/contracts/nats/stream-plans'
import { ResealingModule } from '@trestle/database/resealing.module'
import { DeliveryModule } from '@trestle/messaging/delivery.module'
import { MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { PlainSealer } from '@trestle/runtime/sealing'
import { AccountDeletionModule } from './account-deletion/account-deletion.module.js'
import { AdministrationModule } from './administration/administration.module.js'
import { ApprovalsModule } from './approvals/approvals.module.js'
import { CleanupModule } from './cleanup/cleanup.module.js'
import { ClientKeysModule } from './client-keys/client-keys.module.js'
import { DataExportModule } from './data-export/data-export.module.js'
import { databaseModule } from './database.module.js'
import { DeviceLoginModule } from './device-login/device-login.module.js'
import { DiscoveryModule } from './discovery/discovery.module.js'
import { EmailChangesModule } from './email-changes/email-changes.module.js'
import type { AccountsEnv } from './env.js'
import { EventsModule } from './events/events.module.js'
import { IdentitiesModule } from './identities/identities.module.js'
import { IdentityProvidersModule } from './identity-providers/identity-providers.module.js'
import { MailModule } from './mail/mail.module.js'
import { MembershipsModule } from './memberships/memberships.module.js'
import { OwnMembershipsService } from './memberships/own-memberships.service.js'
import { OrganizationsModule } from './organizations/organizations.module.js'
import { PartitionsModule } from './partitions/partitions.module.js'
import { OwnRevocationsService } from './revocations/own-revocations.service.js'
import { RevocationsModule } from './revocations/revocations.module.js'
import { SecondFactorsModule } from './second-factors/second-factors.module.js'
import { SecurityLogModule } from './security-log/security-log.module.js'
import { ServiceAccountsModule } from './service-accounts/service-accounts.module.js'
import { SessionsModule } from './sessions/sessions.module.js'
import { SettingsModule } from './settings.module.js'
import { SignInModule } from './sign-in/sign-in.module.js'
import { OwnKeysService } from './signing-keys/own-keys.service.js'
import { SigningKeysModule } from './signing-keys/signing-keys.module.js'
import { issuerOf } from './tokens/issuer-url.js'
import { OAuthModule } from './tokens/oauth.module.js'
import { TokensModule } from './tokens/tokens.module.js'
import { UnitOfWorkModule } from './unit-of-work/unit-of-work.module.js'
import { UsersModule } from './users/users.module.js'

const FEATURES = [
  AccountDeletionModule,
  AdministrationModule,
  ApprovalsModule,
  CleanupModule,
  ClientKeysModule,
  DataExportModule,
  DeviceLoginModule,
  DiscoveryModule,
  EmailChangesModule,
  EventsModule,
  IdentitiesModule,
  IdentityProvidersModule,
  MailModule,
  MembershipsModule,
  OAuthModule,
  OrganizationsModule,
  PartitionsModule,
  SecondFactorsModule,
  SecurityLogModule,
  ServiceAccountsModule,
  SessionsModule,
  SignInModule,
  TokensModule,
  UsersModule,
]

const SEALED_COLUMNS = [
  { table: 'signing_key', id: 'kid', column: 'private_sealed' },
  { table: 'second_factor', id: 'id', column: 'secret_sealed' },
  { table: 'mail', id: 'id', column: 'text_sealed' },
]

/** The accounts service: its infrastructure and its features. */
@Module({})
export class AppModule {
  static forRoot(env: AccountsEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(env),
        databaseModule(env.DATABASE_URL),
        ResealingModule.forRoot({ sealer: new PlainSealer(env.KEY_ENCRYPTION_KEY), columns: SEALED_COLUMNS }),
        MessagingModule.forRoot({
          service: 'accounts',
          ...natsOptions(env),
          schema: 'accounts',
          streams: streamPlans(identitiesOf(deploymentsOf(env.chains)), MESSAGES),
          replicas: env.NATS_REPLICAS,
          rootKey: env.TRUST_ROOT_KEY,
        }),
        UnitOfWorkModule,
        AuthModule.forRoot({
          area: 'accounts',
          issuer: issuerOf(env),
          apiBudgetFactor: env.API_BUDGET_FACTOR,
          keySource: OwnKeysService,
          revocationSource: OwnRevocationsService,
          membershipSource: OwnMembershipsService,
          imports: [MembershipsModule, RevocationsModule, SigningKeysModule],
        }),
        DeliveryModule.forRoot(accounts.delivery),
        ...FEATURES,
      ],
    }
  }
}
