import { type DynamicModule, Module } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { DeliveryModule } from '@trestle/messaging/delivery.module'
import { MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { AddressesModule } from './addresses/addresses.module.js'
import { BlocksModule } from './blocks/blocks.module.js'
import { databaseModule } from './database.module.js'
import type { BtcConnectEnv } from './env.js'
import { FeesModule } from './fees/fees.module.js'
import { IndexModule } from './index/index.module.js'
import { MempoolModule } from './mempool/mempool.module.js'
import { MempoolSizeModule } from './mempool/mempool-size.module.js'
import { PushModule } from './push/push.module.js'
import { RawModule } from './raw/raw.module.js'
import { SendingModule } from './sending/sending.module.js'
import { SettingsModule } from './settings.module.js'
import { GaugesModule } from './status/gauges.module.js'
import { StatusModule } from './status/status.module.js'
import { TransactionsModule } from './transactions/transactions.module.js'
import { WalletsModule } from './wallets/wallets.module.js'

// What serves callers.
export const API: NonNullable<DynamicModule['imports']> = [
  AddressesModule,
  BlocksModule,
  FeesModule,
  MempoolSizeModule,
  PushModule,
  RawModule,
  SendingModule,
  StatusModule,
  TransactionsModule,
  WalletsModule,
]

// What writes the index.
const WRITER: NonNullable<DynamicModule['imports']> = [IndexModule, MempoolModule]

/** The service of one chain: its infrastructure and its features. */
@Module({})
export class AppModule {
  static forRoot(env: BtcConnectEnv): DynamicModule {
    const auth = AuthModule.forRoot({
      area: 'btc-connect',
      issuer: `${env.PUBLIC_URL}/accounts`,
      accountsInternalUrl: env.ACCOUNTS_INTERNAL_URL,
    })
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(env),
        databaseModule(env),
        MessagingModule.forRoot({ service: env.DEPLOYMENT, ...natsOptions(env), schema: env.DEPLOYMENT }),
        GaugesModule,
        ...(env.ROLE === 'indexer' ? [] : [auth, ...API, DeliveryModule.forRoot(btcConnect.delivery)]),
        ...(env.ROLE === 'api' ? [] : WRITER),
      ],
    }
  }
}
