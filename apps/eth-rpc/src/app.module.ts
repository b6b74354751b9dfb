import { type DynamicModule, Module } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { DeliveryModule } from '@trestle/messaging/delivery.module'
import { MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { UsageModule } from '@trestle/usage/usage.module'
import { databaseModule } from './database.module.js'
import type { EthRpcEnv } from './env.js'
import { FailuresModule } from './failures/failures.module.js'
import { RpcModule } from './gateway/rpc.module.js'
import { HeadFloorModule } from './heads/head-floor.module.js'
import { HeadsModule } from './heads/heads.module.js'
import { ProjectKeysModule } from './keys/project-keys.module.js'
import { ProjectsModule } from './projects/projects.module.js'
import { SettingsModule } from './settings.module.js'
import { BudgetsModule } from './upstreams/budgets/budgets.module.js'
import { PROJECT_USAGE } from './usage/project-usage.js'
import { ProjectUsageModule } from './usage/project-usage.module.js'

/** One chain's gateway: everything it stands on, and everything it does. */
@Module({})
export class AppModule {
  static forRoot(env: EthRpcEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(env),
        databaseModule(env),
        MessagingModule.forRoot({ service: env.DEPLOYMENT, ...natsOptions(env), schema: env.DEPLOYMENT }),
        AuthModule.forRoot({
          area: 'eth-rpc',
          issuer: `${env.PUBLIC_URL}/accounts`,
          accountsInternalUrl: env.ACCOUNTS_INTERNAL_URL,
          apiBudgetFactor: env.API_BUDGET_FACTOR,
        }),
        UsageModule.forRoot({ ...PROJECT_USAGE, service: env.DEPLOYMENT }),
        HeadsModule.forRoot(env),
        HeadFloorModule,
        BudgetsModule,
        RpcModule,
        ProjectsModule,
        ProjectKeysModule,
        ProjectUsageModule,
        FailuresModule,
        DeliveryModule.forRoot(ethRpc.delivery),
      ],
    }
  }
}
