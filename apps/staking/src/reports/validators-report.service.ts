import { Readable } from 'node:stream'
import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { ChainsService } from '../chains/chains.service.js'
import { OwnedValidatorsService } from '../validators/owned-validators.service.js'
import { describeValidator, type OwnedValidator } from '../validators/validator.js'
import { LifetimeEarningsService } from './lifetime-earnings.service.js'
import { VALIDATORS_HEADER, validatorLine } from './validators-report.js'

const BATCH_SIZE = 500

/** A user's validators as CSV. */
@Injectable()
export class ValidatorsReportService {
  constructor(
    private readonly chains: ChainsService,
    private readonly owned: OwnedValidatorsService,
    private readonly figures: LifetimeEarningsService,
    private readonly clock: Clock,
  ) {}

  async open(userId: string): Promise<Readable> {
    const lists = await Promise.all(this.chains.names().map((chain) => this.owned.list(userId, chain)))
    return Readable.from(this.lines(lists.flat()), { objectMode: false })
  }

  private async *lines(validators: readonly OwnedValidator[]): AsyncGenerator<string> {
    yield VALIDATORS_HEADER
    for (let from = 0; from < validators.length; from += BATCH_SIZE) {
      const batch = validators.slice(from, from + BATCH_SIZE)
      const figures = await this.figures.list(batch)
      yield batch.map((validator, i) => validatorLine(describeValidator(validator, this.clock.now()), figures[i])).join('')
    }
  }
}
