import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { performance } from '@trestle/contracts/staking/performance'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { ChainsService } from '../chains/chains.service.js'
import { type DayRange, dayRangeOf } from '../rewards/day-range.js'
import { dayOf } from '../rewards/days.js'
import { NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { describeDay } from '../rewards/validator-day.js'
import { type OwnedPubkey, PerformanceRepository, type ValidatorBalance } from './performance.repository.js'

@Injectable()
export class PerformanceService {
  constructor(
    private readonly chains: ChainsService,
    private readonly repository: PerformanceRepository,
    private readonly earnings: EarningsService,
    private readonly clock: Clock,
  ) {}

  async get(owned: OwnedPubkey, query: Input<typeof performance.get>['query']): Promise<Reply<typeof performance.get>> {
    const { chain, pubkey } = owned
    const { validator, range } = await this.find(owned, query)
    const earned = (await this.earnings.list([validator.serial], range)).get(validator.serial) ?? NO_EARNINGS
    return {
      ...(await this.earnings.rates(chain, earned)),
      balance: String(validator.balanceWei),
      effectiveBalance: String(validator.effectiveBalanceWei),
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

  async days(owned: OwnedPubkey, query: Input<typeof performance.days>['query']): Promise<Reply<typeof performance.days>> {
    const { validator, range } = await this.find(owned, query)
    return (await this.earnings.days({ chain: owned.chain, serial: validator.serial }, range)).map(describeDay)
  }

  /** Over the last 30 days. */
  async stats(chain: string): Promise<Reply<typeof performance.stats>> {
    const { name } = this.chains.settings(chain)
    return { ...(await this.earnings.chainRates(name, dayRangeOf({}, dayOf(this.clock.now())))), chain }
  }

  private async find(owned: OwnedPubkey, query: Partial<DayRange>): Promise<{ validator: ValidatorBalance; range: DayRange }> {
    this.chains.settings(owned.chain)
    const range = dayRangeOf(query, dayOf(this.clock.now()))
    const validator = await this.repository.findOwned(owned)
    if (!validator) throw new Problem('unknown', 'UnknownValidator', 'You have no such validator on this chain.')
    return { validator, range }
  }
}
