import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { KeysModule } from '../keys/keys.module.js'
import { SignersModule } from '../signers/signers.module.js'
import { Creation } from './creation.service.js'
import { FeeAddresses } from './fee-addresses.service.js'
import { OwnedValidators } from './owned-validators.service.js'
import { PlacesController } from './places.controller.js'
import { Policy } from './policy.service.js'
import { ValidatorsController } from './validators.controller.js'
import { ValidatorsRepository } from './validators.repository.js'
import { ValidatorsService } from './validators.service.js'
import { Wishes } from './wishes.service.js'

/** The validators of callers. */
@Module({
  imports: [ChainsModule, KeysModule, SignersModule],
  controllers: [PlacesController, ValidatorsController],
  providers: [Creation, FeeAddresses, OwnedValidators, Policy, ValidatorsRepository, ValidatorsService, Wishes],
  exports: [OwnedValidators],
})
export class ValidatorsModule {}
