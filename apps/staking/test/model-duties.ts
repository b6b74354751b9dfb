/** A validator's duties on a day, and how many it missed. */
interface DutyCounts {
  attestations: number
  missedAttestations: number
  syncDuties: number
  missedSyncDuties: number
  proposals: number
  missedProposals: number
}

const NOTHING: DutyCounts = { attestations: 0, missedAttestations: 0, syncDuties: 0, missedSyncDuties: 0, proposals: 0, missedProposals: 0 }

/** The proposers of a model chain, and the duties of its validators. */
export class ModelDuties {
  /** Epochs whose proposers no node reports. */
  readonly unknownProposers = new Set<number>()
  private readonly done = new Map<string, DutyCounts>()
  private readonly proposers = new Map<number, number>()

  on(index: number, day: string): DutyCounts {
    const key = `${index} ${day}`
    const done = this.done.get(key) ?? { ...NOTHING }
    this.done.set(key, done)
    return done
  }

  attest(index: number, day: string, isMissed: boolean): void {
    const done = this.on(index, day)
    done.attestations += 1
    if (isMissed) done.missedAttestations += 1
  }

  sync(index: number, day: string, isMissed: boolean): void {
    const done = this.on(index, day)
    done.syncDuties += 1
    if (isMissed) done.missedSyncDuties += 1
  }

  propose(index: number, day: string, { slot, isMissed }: { slot: number; isMissed: boolean }): void {
    const done = this.on(index, day)
    done.proposals += 1
    if (isMissed) done.missedProposals += 1
    this.proposers.set(slot, index)
  }

  /** As a node tells it. */
  proposersOf(epoch: number, slotsPerEpoch: number) {
    if (this.unknownProposers.has(epoch)) return undefined
    const slots = [...this.proposers].filter(([slot]) => Math.floor(slot / slotsPerEpoch) === epoch)
    return slots.map(([slot, validatorIndex]) => ({ slot, validatorIndex, pubkey: Buffer.alloc(48) }))
  }
}
