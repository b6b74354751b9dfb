import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { KeysModule } from '../keys/keys.module.js'
import { OwnershipModule } from '../ownership/ownership.module.js'
import { SignersModule } from '../signers/signers.module.js'
import { ChainsController } from './chains.controller.js'
import { CreationService } from './creation.service.js'
import { DesiredStateService } from './desired-state.service.js'
import { FeeAddressesService } from './fee-addresses.service.js'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { OwnerDeletionRepository } from './owner-deletion.repository.js'
import { OwnerDeletionService } from './owner-deletion.service.js'
import { PolicyService } from './policy.service.js'
import { TransfersService } from './transfers.service.js'
import { ValidatorsConsumer } from './validators.consumer.js'
import { ValidatorsController } from './validators.controller.js'
import { ValidatorsRepository } from './validators.repository.js'
import { ValidatorsService } from './validators.service.js'

/** The validators of owners. */
@Module({
  imports: [ChainsModule, KeysModule, OwnershipModule, SignersModule],
  controllers: [ChainsController, ValidatorsConsumer, ValidatorsController],
  providers: [
    CreationService,
    OwnerDeletionRepository,
    OwnerDeletionService,
    FeeAddressesService,
    OwnedValidatorsService,
    PolicyService,
    TransfersService,
    ValidatorsRepository,
    ValidatorsService,
    DesiredStateService,
  ],
  exports: [OwnedValidatorsService],
})
export class ValidatorsModule {}
