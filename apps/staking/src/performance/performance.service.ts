import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { performance } from '@trestle/contracts/staking/performance'
import { Clock } from '@trestle/runtime/clock'
import { ChainsService } from '../chains/chains.service.js'
import { type DayRange, dayRangeOf } from '../rewards/day-range.js'
import { dayOf } from '../rewards/days.js'
import { NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { describeDay } from '../rewards/validator-day.js'
import { OwnedValidatorsService } from '../validators/owned-validators.service.js'
import { type Ownership, weiOf } from '../validators/validator.js'

@Injectable()
export class PerformanceService {
  constructor(
    private readonly chains: ChainsService,
    private readonly owned: OwnedValidatorsService,
    private readonly earnings: EarningsService,
    private readonly clock: Clock,
  ) {}

  async get(ownership: Ownership, query: Input<typeof performance.get>['query']): Promise<Reply<typeof performance.get>> {
    const { chain, pubkey } = ownership
    const range = this.rangeOf(query)
    const { serial, chain: state } = await this.owned.find(ownership)
    const earned = (await this.earnings.list([serial], range)).get(serial) ?? NO_EARNINGS
    return {
      ...(await this.earnings.rates(chain, earned)),
      balance: weiOf(state.balanceGwei),
      effectiveBalance: weiOf(state.effectiveBalanceGwei),
      chain,
      pubkey,
      ...range,
      consensusRewards: String(earned.consensusRewardsWei),
      consensusPenalties: String(earned.consensusPenaltiesWei),
      executionRewards: String(earned.executionRewardsWei),
      // The execution layer has no penalties.
      executionPenalties: '0',
    }
  }

  async days(ownership: Ownership, query: Input<typeof performance.days>['query']): Promise<Reply<typeof performance.days>> {
    const range = this.rangeOf(query)
    const { chainName: chain, serial } = await this.owned.find(ownership)
    return (await this.earnings.days({ chain, serial }, range)).map(describeDay)
  }

  /** Over the last 30 days. */
  async stats(chain: string): Promise<Reply<typeof performance.stats>> {
    const { name } = this.chains.settings(chain)
    return { ...(await this.earnings.chainRates(name, this.rangeOf({}))), chain }
  }

  private rangeOf(query: Partial<DayRange>): DayRange {
    return dayRangeOf(query, dayOf(this.clock.now()))
  }
}
