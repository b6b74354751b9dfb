import { ForkSeq, MAX_ATTESTATIONS_ELECTRA, MAX_VOLUNTARY_EXITS } from '@lodestar/params'
import {
  type CachedBeaconStateElectra,
  getVoluntaryExitValidity,
  isSlashableValidator,
  VoluntaryExitValidity,
} from '@lodestar/state-transition'
import { type electra, type phase0, ssz } from '@lodestar/types'

/** Serialized. */
export interface SavedOperationPool {
  readonly exits: readonly Uint8Array[]
  readonly slashings: readonly Uint8Array[]
  readonly attestations: readonly Uint8Array[]
}

/** Operations that are not in a block yet. */
export class OperationPool {
  /** By validator. */
  readonly exits = new Map<number, phase0.SignedVoluntaryExit>()
  private slashings: electra.AttesterSlashing[] = []
  private attestations: electra.Attestation[] = []

  addAttestation(attestation: electra.Attestation): void {
    this.attestations.push(attestation)
  }

  addSlashing(slashing: electra.AttesterSlashing): void {
    this.slashings.push(slashing)
  }

  /** Includes every vote once, at latest in the epoch after its own (EIP-7045). */
  takeAttestations({ epochCtx }: CachedBeaconStateElectra): electra.Attestation[] {
    const waiting = this.attestations.splice(0)
    return waiting.filter(({ data }) => data.target.epoch >= epochCtx.epoch - 1).slice(-MAX_ATTESTATIONS_ELECTRA)
  }

  takeExits(state: CachedBeaconStateElectra): phase0.SignedVoluntaryExit[] {
    const valid: phase0.SignedVoluntaryExit[] = []
    for (const [validator, exit] of this.exits) {
      if (valid.length === MAX_VOLUNTARY_EXITS) break
      this.exits.delete(validator)
      if (getVoluntaryExitValidity(ForkSeq.electra, state, exit, false) === VoluntaryExitValidity.valid) valid.push(exit)
    }
    return valid
  }

  /** One for each block (Electra). */
  takeSlashings(state: CachedBeaconStateElectra): electra.AttesterSlashing[] {
    const waiting = this.slashings.filter(({ attestation1 }) =>
      attestation1.attestingIndices.every((validator) => isSlashable(state, validator)),
    )
    const [first, ...others] = waiting
    this.slashings = others
    return first ? [first] : []
  }

  save(): SavedOperationPool {
    return {
      exits: [...this.exits.values()].map((exit) => ssz.phase0.SignedVoluntaryExit.serialize(exit)),
      slashings: this.slashings.map((slashing) => ssz.electra.AttesterSlashing.serialize(slashing)),
      attestations: this.attestations.map((attestation) => ssz.electra.Attestation.serialize(attestation)),
    }
  }

  restore({ exits, slashings, attestations }: SavedOperationPool): void {
    for (const exit of exits.map((bytes) => ssz.phase0.SignedVoluntaryExit.deserialize(bytes)))
      this.exits.set(exit.message.validatorIndex, exit)
    this.slashings = slashings.map((bytes) => ssz.electra.AttesterSlashing.deserialize(bytes))
    this.attestations = attestations.map((bytes) => ssz.electra.Attestation.deserialize(bytes))
  }
}

export function isSlashable(state: CachedBeaconStateElectra, validator: number): boolean {
  return isSlashableValidator(state.validators.getReadonly(validator), state.epochCtx.epoch)
}
