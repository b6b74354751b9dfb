import { Readable } from 'node:stream'
import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { ChainsService } from '../chains/chains.service.js'
import { dayOf } from '../rewards/days.js'
import { NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { OwnedValidatorsService } from '../validators/owned-validators.service.js'
import { describeValidator, type OwnedValidator } from '../validators/validator.js'
import { type LifetimeEarnings, VALIDATORS_HEADER, validatorLine } from './validators-report.js'

const BATCH_SIZE = 500

// The day before the first epoch of the beacon chain.
const FIRST_DAY = '2020-11-30'

/** An organization's validators as CSV. */
@Injectable()
export class ValidatorsReportService {
  constructor(
    private readonly chains: ChainsService,
    private readonly owned: OwnedValidatorsService,
    private readonly earnings: EarningsService,
    private readonly clock: Clock,
  ) {}

  async open(organizationId: string): Promise<Readable> {
    const lists = await Promise.all(this.chains.names().map((chain) => this.owned.list(organizationId, chain)))
    return Readable.from(this.lines(lists.flat()), { objectMode: false })
  }

  private async *lines(validators: readonly OwnedValidator[]): AsyncGenerator<string> {
    yield VALIDATORS_HEADER
    for (let from = 0; from < validators.length; from += BATCH_SIZE) {
      const batch = validators.slice(from, from + BATCH_SIZE)
      yield (await this.earned(batch))
        .map(([validator, earned]) => validatorLine(describeValidator(validator, this.clock.now()), earned))
        .join('')
    }
  }

  private async earned(validators: readonly OwnedValidator[]): Promise<[OwnedValidator, LifetimeEarnings][]> {
    const range = { from: FIRST_DAY, to: dayOf(this.clock.now()) }
    const all = await this.earnings.list(
      validators.map(({ serial }) => serial),
      range,
    )
    return Promise.all(
      validators.map(async (validator) => {
        const earned = all.get(validator.serial) ?? NO_EARNINGS
        const { apr } = await this.earnings.rates(validator.chainName, earned)
        return [validator, { rewardsWei: earned.consensusRewardsWei + earned.executionRewardsWei, apr }]
      }),
    )
  }
}
