import { BitArray } from '@chainsafe/ssz'
import {
  DOMAIN_BEACON_ATTESTER,
  DOMAIN_SYNC_COMMITTEE,
  MAX_COMMITTEES_PER_SLOT,
  SLOTS_PER_EPOCH,
  SYNC_COMMITTEE_SIZE,
} from '@lodestar/params'
import {
  type CachedBeaconStateElectra,
  computeEpochAtSlot,
  computeSigningRoot,
  computeStartSlotAtEpoch,
  getBlockRootAtSlot,
} from '@lodestar/state-transition'
import type { altair, electra, phase0 } from '@lodestar/types'
import { ssz } from '@lodestar/types'
import { formatHex } from '@trestle/ethereum/hex'
import type { ValidatorSigners } from './signers.js'
import { signTogether } from './signing.js'

/** The votes of the committees of the state's slot in one aggregate (EIP-7549); undefined if nobody votes. */
export function attest(state: CachedBeaconStateElectra, head: Uint8Array, signers: ValidatorSigners): electra.Attestation | undefined {
  const data = voteOf(state, head)
  const vote = { sourceEpoch: BigInt(data.source.epoch), targetEpoch: BigInt(data.target.epoch) }
  const committees = state.epochCtx.getShufflingAtSlot(state.slot).committees[state.slot % SLOTS_PER_EPOCH] ?? []
  const keys: Buffer[] = []
  const bits: boolean[] = []
  const committeeBits = BitArray.fromBitLen(MAX_COMMITTEES_PER_SLOT)
  committees.forEach((committee, index) => {
    const voters = Array.from(committee, (validator) => signers.keyToAttest(pubkeyOf(state, validator), vote))
    const given = voters.filter((key) => key !== undefined)
    // A committee without votes is not in the aggregate.
    if (given.length === 0) return
    committeeBits.set(index, true)
    keys.push(...given)
    bits.push(...voters.map((key) => key !== undefined))
  })
  if (keys.length === 0) return undefined
  const domain = state.config.getDomain(state.slot, DOMAIN_BEACON_ATTESTER, state.slot)
  const signature = signTogether(keys, computeSigningRoot(ssz.phase0.AttestationData, data, domain))
  return { aggregationBits: BitArray.fromBoolArray(bits), committeeBits, data, signature }
}

/** The sync committee's vote for the parent block. */
export function syncAggregate(state: CachedBeaconStateElectra, parent: Uint8Array, signers: ValidatorSigners): altair.SyncAggregate {
  const members = state.epochCtx.currentSyncCommitteeIndexed.validatorIndices
  const keys = Array.from(members, (validator) => signers.keyOf(pubkeyOf(state, validator)))
  const syncCommitteeBits = BitArray.fromBitLen(SYNC_COMMITTEE_SIZE)
  keys.forEach((key, seat) => {
    syncCommitteeBits.set(seat, key !== undefined)
  })
  const domain = state.config.getDomain(state.slot, DOMAIN_SYNC_COMMITTEE, state.slot - 1)
  const given = keys.filter((key) => key !== undefined)
  return { syncCommitteeBits, syncCommitteeSignature: signTogether(given, computeSigningRoot(ssz.Root, parent, domain)) }
}

/** Two votes for one target, for which a validator is slashed. */
export function conflictingVotes(
  state: CachedBeaconStateElectra,
  head: Uint8Array,
  key: Buffer,
  validator: number,
): electra.AttesterSlashing {
  const data = voteOf(state, head)
  const domain = state.config.getDomain(state.slot, DOMAIN_BEACON_ATTESTER, state.slot)
  const voted = (beaconBlockRoot: Uint8Array): electra.IndexedAttestationBigint => {
    const signature = signTogether([key], computeSigningRoot(ssz.phase0.AttestationData, { ...data, beaconBlockRoot }, domain))
    return { attestingIndices: [validator], data: unbounded({ ...data, beaconBlockRoot }), signature }
  }
  return { attestation1: voted(head), attestation2: voted(Buffer.alloc(32, 0xff)) }
}

export function pubkeyOf(state: CachedBeaconStateElectra, validator: number): string {
  return formatHex(state.validators.getReadonly(validator).pubkey)
}

function voteOf(state: CachedBeaconStateElectra, head: Uint8Array): phase0.AttestationData {
  const epoch = computeEpochAtSlot(state.slot)
  const start = computeStartSlotAtEpoch(epoch)
  const { currentJustifiedCheckpoint: source } = state
  return {
    slot: state.slot,
    index: 0,
    beaconBlockRoot: head,
    source: { epoch: source.epoch, root: source.root },
    target: { epoch, root: start === state.slot ? head : getBlockRootAtSlot(state, start) },
  }
}

function unbounded({ slot, index, beaconBlockRoot, source, target }: phase0.AttestationData): phase0.AttestationDataBigint {
  return {
    slot: BigInt(slot),
    index: BigInt(index),
    beaconBlockRoot,
    source: { epoch: BigInt(source.epoch), root: source.root },
    target: { epoch: BigInt(target.epoch), root: target.root },
  }
}
