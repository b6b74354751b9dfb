import { Readable } from 'node:stream'
import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Chains } from '../chains/chains.service.js'
import { OwnedValidators } from '../validators/owned-validators.service.js'
import { describeValidator, type Validator } from '../validators/validator.js'
import { EarnedFigures } from './earned-figures.service.js'
import { VALIDATORS_HEADER, validatorLine } from './validators-report.js'

const PIECE = 500

/** A user's validators as a table. */
@Injectable()
export class ValidatorsReport {
  constructor(
    private readonly chains: Chains,
    private readonly owned: OwnedValidators,
    private readonly figures: EarnedFigures,
    private readonly clock: Clock,
  ) {}

  async open(userId: string): Promise<Readable> {
    const lists = await Promise.all(this.chains.names().map((chain) => this.owned.list(userId, chain)))
    return Readable.from(this.lines(lists.flat()), { objectMode: false })
  }

  private async *lines(validators: readonly Validator[]): AsyncGenerator<string> {
    yield VALIDATORS_HEADER
    for (let from = 0; from < validators.length; from += PIECE) {
      const piece = validators.slice(from, from + PIECE)
      const figures = await this.figures.list(piece)
      yield piece.map((validator, i) => validatorLine(describeValidator(validator, this.clock.now()), figures[i])).join('')
    }
  }
}
