import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { RegionSignersModule } from '../custody/region-signers.module.js'
import { SignerWatchService } from '../custody/signer-watch.service.js'
import { KeysModule } from '../keys/keys.module.js'
import { SignersModule } from '../signers/signers.module.js'
import { BatchReconcilerService } from './batch-reconciler.service.js'
import { ChainObserverService } from './chain-observer.service.js'
import { ChainReconcilerService } from './chain-reconciler.service.js'
import { DepositFinderService } from './deposit-finder.service.js'
import { DepositLogs } from './deposit-logs.engine.js'
import { ExitSenderService } from './exit-sender.service.js'
import { ExitSignerService } from './exit-signer.service.js'
import { FeeRecipientReconcilerService } from './fee-recipient-reconciler.service.js'
import { KeyCustodyService } from './key-custody.service.js'
import { KeyListingService } from './key-listing.service.js'
import { KeyTransferService } from './key-transfer.service.js'
import { LifecycleJob } from './lifecycle.job.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { LifecycleService } from './lifecycle.service.js'
import { LifecycleAlarmsService } from './lifecycle-alarms.service.js'
import { ObservationsService } from './observations.service.js'
import { PassFailuresService } from './pass-failures.service.js'
import { PassTimesService } from './pass-times.service.js'
import { SignerReconcilerService } from './signer-reconciler.service.js'

const SERVICES = [
  ObservationsService,
  ChainObserverService,
  ChainReconcilerService,
  DepositFinderService,
  DepositLogs,
  ExitSenderService,
  ExitSignerService,
  PassFailuresService,
  FeeRecipientReconcilerService,
  KeyListingService,
  KeyTransferService,
  LifecycleAlarmsService,
  LifecycleService,
  KeyCustodyService,
  BatchReconcilerService,
  PassTimesService,
  SignerReconcilerService,
  SignerWatchService,
]

/** Reconciles signers and chains with the desired state; for workers. */
@Module({
  imports: [ChainsModule, KeysModule, RegionSignersModule, SignersModule],
  providers: [LifecycleJob, LifecycleRepository, ...SERVICES],
})
export class LifecycleModule {}
