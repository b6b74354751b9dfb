import { type EthereumNetwork, type NetworkFacts, networkOf } from '@trestle/ethereum/network'
import type { ChainSettings } from './chain-settings.js'

/** What a beacon node reports about its network. */
export interface ReportedFacts extends NetworkFacts {
  /** Seconds since 1970. */
  readonly genesisTime: number
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  /** How many epochs a validator must be active before it may exit. */
  readonly shardCommitteePeriod: number
}

/** A chain with what deposits, exits and times depend on. */
export class StakingChain {
  readonly network: EthereumNetwork
  readonly genesisTime: number
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  readonly shardCommitteePeriod: number

  /** Throws `MalformedData` where the node is of another network than the one named. */
  constructor(
    readonly settings: ChainSettings,
    { genesisTime, secondsPerSlot, slotsPerEpoch, shardCommitteePeriod, ...network }: ReportedFacts,
  ) {
    this.network = networkOf(settings.name, network)
    this.genesisTime = genesisTime
    this.secondsPerSlot = secondsPerSlot
    this.slotsPerEpoch = slotsPerEpoch
    this.shardCommitteePeriod = shardCommitteePeriod
  }

  epochAt(now: Date): number {
    const slot = Math.floor((now.getTime() / 1000 - this.genesisTime) / this.secondsPerSlot)
    return Math.max(0, this.epochOf(slot))
  }

  /** The slot of this time; 0 on a chain of one's own, which may have been stopped for a while. */
  clockSlot(now: Date): number {
    return this.settings.name === 'dev' ? 0 : Math.floor((now.getTime() / 1000 - this.genesisTime) / this.secondsPerSlot)
  }

  epochOf(slot: number): number {
    return Math.floor(slot / this.slotsPerEpoch)
  }

  /** When the slot begins. */
  slotTime(slot: number): Date {
    return new Date((this.genesisTime + slot * this.secondsPerSlot) * 1000)
  }

  epochTime(epoch: number): Date {
    return this.slotTime(epoch * this.slotsPerEpoch)
  }
}
