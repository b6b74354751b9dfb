import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { KeysModule } from '../keys/keys.module.js'
import { SignersModule } from '../signers/signers.module.js'
import { ChainKeeper } from './chain-keeper.service.js'
import { ChainObserver } from './chain-observer.service.js'
import { ChainPass } from './chain-pass.service.js'
import { DepositFinder } from './deposit-finder.service.js'
import { DepositWatch } from './deposit-watch.service.js'
import { ExitSender } from './exit-sender.service.js'
import { ExitSigner } from './exit-signer.service.js'
import { Failures } from './failures.service.js'
import { FeeKeeper } from './fee-keeper.service.js'
import { HolderLists } from './holder-lists.service.js'
import { KeyMover } from './key-mover.service.js'
import { LifecycleJob } from './lifecycle.job.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleService } from './lifecycle.service.js'
import { LifecycleAlarms } from './lifecycle-alarms.service.js'
import { PageKeeper } from './page-keeper.service.js'
import { PassTimes } from './pass-times.service.js'
import { SignerKeeper } from './signer-keeper.service.js'
import { WakeUps } from './wake-ups.service.js'

const SERVICES = [
  ChainKeeper,
  ChainObserver,
  ChainPass,
  DepositFinder,
  DepositWatch,
  ExitSender,
  ExitSigner,
  Failures,
  FeeKeeper,
  HolderLists,
  KeyMover,
  LifecycleAlarms,
  LifecycleService,
  PageKeeper,
  PassTimes,
  SignerKeeper,
  WakeUps,
]

/** Makes what signers and chains have what is wanted; for the process that is the worker. */
@Module({
  imports: [ChainsModule, KeysModule, SignersModule],
  providers: [LifecycleJob, LifecycleRepository, ...SERVICES],
})
export class LifecycleModule {}
