import { type BeaconConfig, type ChainConfig, chainConfigToJson, createBeaconConfig, createChainForkConfig } from '@lodestar/config'
import * as params from '@lodestar/params'
import { ACTIVE_PRESET, activePreset, PresetName, presetToJson } from '@lodestar/params'
import { formatHex } from '@trestle/ethereum/hex'
import { DEPOSIT_CONTRACT } from './deposit-contract.js'

export interface Timing {
  readonly secondsPerSlot: number
  readonly chainId: number
}

if (ACTIVE_PRESET !== PresetName.minimal) throw new Error('The dev beacon needs LODESTAR_PRESET=minimal before it is loaded.')

export function chainConfigOf({ secondsPerSlot, chainId }: Timing) {
  return createChainForkConfig(constantsOf({ secondsPerSlot, chainId }))
}

export function beaconConfigOf(timing: Timing, genesisValidatorsRoot: Uint8Array): BeaconConfig {
  return createBeaconConfig(constantsOf(timing), genesisValidatorsRoot)
}

/** The body of /eth/v1/config/spec: the configuration, the preset and the constants. */
export function configSpecOf(config: BeaconConfig): Record<string, unknown> {
  const { SECONDS_PER_SLOT, ...spec }: Record<string, unknown> = { ...chainConfigToJson(config), ...presetToJson(activePreset) }
  const domains = Object.entries(params).flatMap(([name, type]) =>
    name.startsWith('DOMAIN_') && type instanceof Uint8Array ? [[name, formatHex(type)]] : [],
  )
  return {
    ...spec,
    // Superseded by SLOT_DURATION_MS, and in whole seconds: a chain with fractional slots has none.
    ...(Number.isInteger(config.SLOT_DURATION_MS / 1000) && { SECONDS_PER_SLOT }),
    ...Object.fromEntries(domains),
    FAR_FUTURE_EPOCH: '18446744073709551615',
    TARGET_AGGREGATORS_PER_COMMITTEE: '16',
  }
}

/** All forks up to Electra from the first slot on; the delays in a validator's lifecycle are two epochs. */
function constantsOf({ secondsPerSlot, chainId }: Timing): Partial<ChainConfig> {
  return {
    PRESET_BASE: PresetName.minimal,
    CONFIG_NAME: 'trestle-devnet',
    ALTAIR_FORK_EPOCH: 0,
    BELLATRIX_FORK_EPOCH: 0,
    CAPELLA_FORK_EPOCH: 0,
    DENEB_FORK_EPOCH: 0,
    ELECTRA_FORK_EPOCH: 0,
    TERMINAL_TOTAL_DIFFICULTY: 0n,
    SLOT_DURATION_MS: Math.round(secondsPerSlot * 1000),
    SECONDS_PER_SLOT: secondsPerSlot,
    SHARD_COMMITTEE_PERIOD: 2,
    MIN_VALIDATOR_WITHDRAWABILITY_DELAY: 2,
    // Eight validators of 32 ETH may enter and exit in an epoch.
    MIN_PER_EPOCH_CHURN_LIMIT_ELECTRA: 256_000_000_000,
    MAX_PER_EPOCH_ACTIVATION_EXIT_CHURN_LIMIT: 256_000_000_000,
    DEPOSIT_CHAIN_ID: chainId,
    DEPOSIT_NETWORK_ID: chainId,
    DEPOSIT_CONTRACT_ADDRESS: Buffer.from(DEPOSIT_CONTRACT.slice(2), 'hex'),
  }
}
