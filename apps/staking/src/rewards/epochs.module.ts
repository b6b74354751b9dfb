import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { BlockRewardsService } from './block-rewards.service.js'
import { BreakdownService } from './breakdown.service.js'
import { EpochReaderService } from './epoch-reader.service.js'
import { EpochsJob } from './epochs.job.js'
import { EpochsService } from './epochs.service.js'
import { FinalizedBlocksService } from './finalized-blocks.service.js'
import { LedgerRepository } from './ledger.repository.js'
import { LedgerAlarmsService } from './ledger-alarms.service.js'
import { MissedProposalsService } from './missed-proposals.service.js'
import { PrincipalService } from './principal.service.js'
import { ProposalsService } from './proposals.service.js'

/** Writes the ledger. */
@Module({
  imports: [ChainsModule],
  providers: [
    BlockRewardsService,
    BreakdownService,
    EpochReaderService,
    EpochsService,
    EpochsJob,
    FinalizedBlocksService,
    LedgerAlarmsService,
    LedgerRepository,
    MissedProposalsService,
    PrincipalService,
    ProposalsService,
  ],
})
export class EpochsModule {}
