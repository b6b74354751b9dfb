import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { BlockRewards } from './block-rewards.service.js'
import { BreakdownReader } from './breakdown.service.js'
import { EpochExtras } from './epoch-extras.service.js'
import { EpochReader } from './epoch-reader.service.js'
import { EpochsJob } from './epochs.job.js'
import { Epochs } from './epochs.service.js'
import { LedgerRepository } from './ledger.repository.js'
import { LedgerAlarms } from './ledger-alarms.service.js'
import { LedgerRuns } from './ledger-runs.service.js'
import { MissedProposals } from './missed-proposals.service.js'

/** Writes the ledger. */
@Module({
  imports: [ChainsModule],
  providers: [
    BlockRewards,
    BreakdownReader,
    EpochExtras,
    EpochReader,
    Epochs,
    EpochsJob,
    LedgerAlarms,
    LedgerRuns,
    LedgerRepository,
    MissedProposals,
  ],
})
export class EpochsModule {}
