import { networkOf } from '@trestle/ethereum/network'
import { StakingChain } from '../src/chains/chain.js'
import type { ChainSettings } from '../src/chains/chain-settings.js'

const SLOTS = 4
// Six epochs are a day, and the first day has five.
const GENESIS = Date.parse('2026-11-01T04:00:00Z') / 1000
const SECONDS_PER_SLOT = 3600

export const MODEL_NETWORK = new StakingChain(
  { name: 'dev', beacons: [], archives: [], executions: [], regions: [] } satisfies ChainSettings,
  {
    ...networkOf('dev'),
    genesisTime: GENESIS,
    secondsPerSlot: SECONDS_PER_SLOT,
    slotsPerEpoch: SLOTS,
    shardCommitteePeriod: 1,
  },
)
