import { type DynamicModule, Module } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { ResealingModule } from '@trestle/database/resealing.module'
import { DeliveryModule } from '@trestle/messaging/delivery.module'
import { MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { Sealer } from '@trestle/runtime/sealing'
import { UsageModule } from '@trestle/usage/usage.module'
import { CatalogueModule } from './catalogue/catalogue.module.js'
import { databaseModule } from './database.module.js'
import { DriversModule } from './drivers/drivers.module.js'
import type { NodesEnv } from './env.js'
import { GatewayModule } from './gateway/gateway.module.js'
import { PlansModule } from './plans/plans.module.js'
import { ReconcilerModule } from './reconciler/reconciler.module.js'
import { SealingModule } from './sealing/sealing.module.js'
import { SettingsModule } from './settings.module.js'
import { UsageReportsModule } from './usage/usage-reports.module.js'
import { WORKLOAD_USAGE } from './usage/workload-usage.js'
import { WorkloadsModule } from './workloads/workloads.module.js'

type Modules = NonNullable<DynamicModule['imports']>

/** The modules of each role. A role that answers callers authenticates them. */
function partsOf(env: NodesEnv): Modules {
  const auth = AuthModule.forRoot({
    area: 'nodes',
    issuer: `${env.PUBLIC_URL}/accounts`,
    accountsInternalUrl: env.ACCOUNTS_INTERNAL_URL,
    apiBudgetFactor: env.API_BUDGET_FACTOR,
  })
  const drivers = DriversModule.forRoot(env)
  const api: Modules = [
    drivers,
    CatalogueModule,
    PlansModule,
    WorkloadsModule,
    UsageReportsModule,
    DeliveryModule.forRoot(nodesArea.delivery),
  ]
  const usage = UsageModule.forRoot(WORKLOAD_USAGE)
  const controller: Modules = [drivers, ReconcilerModule]
  switch (env.ROLE) {
    case 'api':
      return [auth, usage, ...api]
    case 'controller':
      return controller
    case 'gateway':
      return [auth, usage, GatewayModule]
    case 'all':
      return [auth, usage, ...api, ...controller, GatewayModule]
  }
}

const SEALED_PASSWORDS = [
  { table: 'workload', id: 'id', column: 'sealed_password' },
  { table: 'workload_machine', id: 'id', column: 'sealed_password' },
]

/** The nodes area. */
@Module({})
export class AppModule {
  static forRoot(env: NodesEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(env),
        SealingModule,
        databaseModule(env),
        ResealingModule.forRoot({ sealer: new Sealer(env.KEY_ENCRYPTION_KEYS), columns: SEALED_PASSWORDS }),
        MessagingModule.forRoot({ service: 'nodes', ...natsOptions(env), schema: 'nodes' }),
        ...partsOf(env),
      ],
    }
  }
}
