import { tryLease } from '@trestle/database/lease'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import type { Pool } from 'pg'
import type { Chains } from '../src/chains/chains.service.js'
import { BlockRewards } from '../src/rewards/block-rewards.service.js'
import { BreakdownReader } from '../src/rewards/breakdown.service.js'
import { EpochExtras } from '../src/rewards/epoch-extras.service.js'
import { EpochReader } from '../src/rewards/epoch-reader.service.js'
import { Epochs, type LedgerRun } from '../src/rewards/epochs.service.js'
import { LedgerRepository } from '../src/rewards/ledger.repository.js'
import { LedgerAlarms } from '../src/rewards/ledger-alarms.service.js'
import { MissedProposals } from '../src/rewards/missed-proposals.service.js'

/** What books epochs, without an app around it. */
export function epochsOf(chains: Chains, books: LedgerRepository, metrics = new Metrics()): Epochs {
  const breakdowns = new BreakdownReader()
  const alarms = new LedgerAlarms(createLogger('test', 'silent'), metrics)
  const extras = new EpochExtras(chains, new BlockRewards(chains, books), breakdowns, alarms)
  return new Epochs(chains, new EpochReader(chains, breakdowns, new MissedProposals(chains)), books, extras)
}

/** The lease of this name must be free. */
export async function runOf(pool: Pool, chains: Chains, name = 'rewards:dev'): Promise<LedgerRun> {
  const lease = await tryLease({ pool, name, holder: 'a test' })
  if (!lease) throw new Error(`Somebody has the lease ${name}.`)
  return { chain: await chains.get('dev'), lease }
}
