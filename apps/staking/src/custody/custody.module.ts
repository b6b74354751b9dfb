import { Module } from '@nestjs/common'
import { CustodyController } from './custody.controller.js'
import { CustodyService } from './custody.service.js'
import { LostKeysRepository } from './lost-keys.repository.js'
import { RegionSignersRepository } from './region-signers.repository.js'

/** Who has the keys of validators, for administrators. */
@Module({
  controllers: [CustodyController],
  providers: [CustodyService, LostKeysRepository, RegionSignersRepository],
})
export class CustodyModule {}
