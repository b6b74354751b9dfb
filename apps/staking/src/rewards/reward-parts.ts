import { MIN_ACTIVATION_BALANCE_GWEI } from '@trestle/ethereum/deposit'
import type { AttestationReward } from '../chains/beacon-responses.js'
import { type Duties, isMissed, NO_DUTIES } from './duties.js'
import type { RewardParts } from './epoch-booking.js'

interface Ideal {
  readonly headGwei: bigint
  readonly targetGwei: bigint
  readonly sourceGwei: bigint
}

const NOTHING: RewardParts = { gainedGwei: 0n, lostGwei: 0n }

/** What the rewards endpoints report about an epoch, by validator index. */
export class Breakdown {
  /** What 32 ETH earned with perfect attestations. */
  idealGwei: bigint | undefined
  private readonly known = new Map<number, RewardParts>()
  private readonly incomplete = new Set<number>()
  private readonly missed = new Map<number, boolean>()
  private readonly sync = new Map<number, Pick<Duties, 'syncDuties' | 'missedSyncDuties'>>()

  add(index: number, gwei: readonly bigint[]): void {
    let { gainedGwei, lostGwei } = this.known.get(index) ?? NOTHING
    for (const part of gwei) {
      if (part < 0n) lostGwei -= part
      else gainedGwei += part
    }
    this.known.set(index, { gainedGwei, lostGwei })
  }

  addAttestation(index: number, reward: AttestationReward): void {
    this.add(index, [reward.headGwei, reward.targetGwei, reward.sourceGwei, reward.inactivityGwei])
    this.missed.set(index, isMissed(reward))
  }

  /** For one block. Who signed is paid, and who did not pays as much (consensus-specs, Altair, process_sync_aggregate). */
  addSync(index: number, gwei: bigint): void {
    this.add(index, [gwei])
    const { syncDuties, missedSyncDuties } = this.sync.get(index) ?? NO_DUTIES
    this.sync.set(index, { syncDuties: syncDuties + 1, missedSyncDuties: missedSyncDuties + (gwei < 0n ? 1 : 0) })
  }

  /** Some part is unknown, so the whole breakdown is. */
  markIncomplete(index: number): void {
    this.incomplete.add(index)
  }

  addIdeal(ideal: ReadonlyMap<bigint, Ideal>): bigint | undefined {
    const one = ideal.get(MIN_ACTIVATION_BALANCE_GWEI)
    if (one) this.idealGwei = one.headGwei + one.targetGwei + one.sourceGwei
    return this.idealGwei
  }

  partsOf(index: number): RewardParts | undefined {
    return this.incomplete.has(index) ? undefined : (this.known.get(index) ?? NOTHING)
  }

  dutiesOf(index: number, hadToAttest: boolean): Duties {
    const missed = hadToAttest ? this.missed.get(index) : undefined
    return {
      ...NO_DUTIES,
      ...this.sync.get(index),
      ...(missed !== undefined && { attestations: 1, missedAttestations: missed ? 1 : 0 }),
    }
  }
}
