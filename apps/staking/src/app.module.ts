import { type DynamicModule, Module } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { staking } from '@trestle/contracts/staking/api'
import { ResealingModule } from '@trestle/database/resealing.module'
import { DeliveryModule } from '@trestle/messaging/delivery.module'
import { MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { Sealer } from '@trestle/runtime/sealing'
import { CustodyModule } from './custody/custody.module.js'
import { databaseModule } from './database.module.js'
import type { StakingEnv } from './env.js'
import { LifecycleModule } from './lifecycle/lifecycle.module.js'
import { OwnershipWorkerModule } from './ownership/ownership-worker.module.js'
import { PerformanceModule } from './performance/performance.module.js'
import { ReportsModule } from './reports/reports.module.js'
import { EpochsModule } from './rewards/epochs.module.js'
import { SettingsModule } from './settings.module.js'
import { ValidatorsModule } from './validators/validators.module.js'

// Serves requests.
const API: NonNullable<DynamicModule['imports']> = [
  ValidatorsModule,
  CustodyModule,
  PerformanceModule,
  ReportsModule,
  DeliveryModule.forRoot(staking.delivery),
]

// Reconciles and books, in one process at a time; keeps up with accounts.
const WORKER: NonNullable<DynamicModule['imports']> = [LifecycleModule, EpochsModule, OwnershipWorkerModule]

const KEYSTORE_PASSWORDS = { table: 'validator_key', id: 'pubkey', column: 'sealed_password' }

@Module({})
export class AppModule {
  static forRoot(env: StakingEnv): DynamicModule {
    const auth = AuthModule.forRoot({
      area: 'staking',
      issuer: `${env.PUBLIC_URL}/accounts`,
      accountsInternalUrl: env.ACCOUNTS_INTERNAL_URL,
      apiBudgetFactor: env.API_BUDGET_FACTOR,
      expiredStatus: 403,
    })
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(env),
        databaseModule(env),
        ResealingModule.forRoot({ sealer: new Sealer(env.KEY_ENCRYPTION_KEYS), columns: [KEYSTORE_PASSWORDS] }),
        MessagingModule.forRoot({ service: 'staking', ...natsOptions(env), schema: 'staking' }),
        ...(env.ROLE === 'worker' ? [] : [auth, ...API]),
        ...(env.ROLE === 'api' ? [] : WORKER),
      ],
    }
  }
}
