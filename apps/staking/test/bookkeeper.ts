import { tryLease } from '@trestle/database/lease'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import type { Pool } from 'pg'
import type { ChainsService } from '../src/chains/chains.service.js'
import { BlockRewardsService } from '../src/rewards/block-rewards.service.js'
import { BreakdownService } from '../src/rewards/breakdown.service.js'
import { EpochReaderService } from '../src/rewards/epoch-reader.service.js'
import { EpochsService, type LedgerRun } from '../src/rewards/epochs.service.js'
import { FinalizedBlocksService } from '../src/rewards/finalized-blocks.service.js'
import { LedgerRepository } from '../src/rewards/ledger.repository.js'
import { LedgerAlarmsService } from '../src/rewards/ledger-alarms.service.js'
import { MissedProposalsService } from '../src/rewards/missed-proposals.service.js'
import { PrincipalService } from '../src/rewards/principal.service.js'
import { ProposalsService } from '../src/rewards/proposals.service.js'

/** The service that books epochs, without an app. */
export function epochsOf(chains: ChainsService, books: LedgerRepository, metrics = new Metrics()): EpochsService {
  const alarms = new LedgerAlarmsService(createLogger('test', 'silent'), metrics)
  const reader = new EpochReaderService(
    chains,
    new BreakdownService(),
    new ProposalsService(new MissedProposalsService(chains), new BlockRewardsService(chains, books)),
    new PrincipalService(chains),
  )
  return new EpochsService(new FinalizedBlocksService(chains), reader, books, alarms)
}

/** The lease of this name must be free. */
export async function runOf(pool: Pool, chains: ChainsService, name = 'rewards:dev'): Promise<LedgerRun> {
  const lease = await tryLease({ pool, name, holder: 'a test' })
  if (!lease) throw new Error(`Another process holds the lease ${name}.`)
  return { chain: await chains.get('dev'), lease }
}
