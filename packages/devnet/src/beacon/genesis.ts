import { createHash } from 'node:crypto'
import type { BeaconConfig } from '@lodestar/config'
import { ForkSeq } from '@lodestar/params'
import {
  type CachedBeaconStateAllForks,
  type CachedBeaconStateElectra,
  createCachedBeaconState,
  createPubkeyCache,
  getGenesisBeaconState,
  getNextSyncCommittee,
  getTemporaryBlockHeader,
  interopSecretKey,
} from '@lodestar/state-transition'
import { ssz } from '@lodestar/types'
import { publicKeyOf } from '@trestle/ethereum/bls'
import { formatHex } from '@trestle/ethereum/hex'
import { beaconConfigOf, chainConfigOf, type Timing } from './network.js'

interface GenesisOptions extends Timing {
  readonly seed: string
  readonly genesisTime: number
  readonly validators: number
  /** The parent of the first execution payload. */
  readonly executionHash: Uint8Array
}

const GENESIS_BALANCE_GWEI = 32_000_000_000

/** The publicly known keys of interop networks, by public key. */
export function interopKeys(count: number): Map<string, Buffer> {
  const keys = Array.from({ length: count }, (_, index) => Buffer.from(interopSecretKey(index).toBytes()))
  return new Map(keys.map((key) => [formatHex(publicKeyOf(key)), key]))
}

/** Deterministic. Its validators have no withdrawal address, so nothing is withdrawn from them. */
export function genesisState(options: GenesisOptions): { config: BeaconConfig; state: CachedBeaconStateElectra } {
  const forkConfig = chainConfigOf(options)
  const header = getTemporaryBlockHeader(forkConfig, ssz.electra.BeaconBlock.defaultValue())
  const blockHash = createHash('sha256').update(options.seed).digest()
  const view = getGenesisBeaconState(forkConfig, { ...ssz.phase0.Eth1Data.defaultValue(), blockHash }, header)
  view.commit()
  const state = ssz.electra.BeaconState.getViewDU(view.node)
  state.genesisTime = options.genesisTime
  addValidators(state, [...interopKeys(options.validators).keys()])
  state.genesisValidatorsRoot = state.validators.hashTreeRoot()
  const config = beaconConfigOf(options, state.genesisValidatorsRoot)
  const { ELECTRA_FORK_VERSION: version } = config
  state.fork = ssz.phase0.Fork.toViewDU({ previousVersion: version, currentVersion: version, epoch: 0 })
  const indices = Uint32Array.from({ length: options.validators }, (_, index) => index)
  const increments = Uint16Array.from(indices, () => 32)
  const { syncCommittee } = getNextSyncCommittee(ForkSeq.electra, state, indices, increments)
  state.currentSyncCommittee = ssz.altair.SyncCommittee.toViewDU(syncCommittee)
  state.nextSyncCommittee = ssz.altair.SyncCommittee.toViewDU(syncCommittee)
  const payload = { ...ssz.electra.ExecutionPayloadHeader.defaultValue(), blockHash: options.executionHash }
  state.latestExecutionPayloadHeader = ssz.electra.ExecutionPayloadHeader.toViewDU(payload)
  // EIP-6110: there are no deposits from before the payloads to wait for.
  state.depositRequestsStartIndex = 0n
  state.commit()
  return { config, state: requireElectra(createCachedBeaconState(state, { config, pubkeyCache: createPubkeyCache() })) }
}

/** Lodestar's functions return a state of any fork; on this chain all are of Electra, the first one too. */
export function requireElectra(state: CachedBeaconStateAllForks): CachedBeaconStateElectra {
  if (!isElectra(state)) throw new Error(`The state of slot ${state.slot} is not of Electra.`)
  return state
}

function isElectra(state: CachedBeaconStateAllForks): state is CachedBeaconStateElectra {
  return state.config.getForkSeq(state.slot) === ForkSeq.electra
}

function addValidators(state: ReturnType<typeof ssz.electra.BeaconState.defaultViewDU>, pubkeys: readonly string[]) {
  for (const pubkey of pubkeys) {
    const key = Buffer.from(pubkey.slice(2), 'hex')
    const validator = {
      pubkey: key,
      withdrawalCredentials: Buffer.concat([Buffer.from([0]), createHash('sha256').update(key).digest().subarray(1)]),
      effectiveBalance: GENESIS_BALANCE_GWEI,
      slashed: false,
      activationEligibilityEpoch: 0,
      activationEpoch: 0,
      exitEpoch: Number.POSITIVE_INFINITY,
      withdrawableEpoch: Number.POSITIVE_INFINITY,
    }
    state.validators.push(ssz.phase0.Validator.toViewDU(validator))
    state.balances.push(GENESIS_BALANCE_GWEI)
    state.previousEpochParticipation.push(0)
    state.currentEpochParticipation.push(0)
    state.inactivityScores.push(0)
  }
}
