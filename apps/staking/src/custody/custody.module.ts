import { Module } from '@nestjs/common'
import { CustodyController } from './custody.controller.js'
import { CustodyService } from './custody.service.js'
import { LostKeysRepository } from './lost-keys.repository.js'
import { RegionSignersModule } from './region-signers.module.js'

/** Who has the keys of validators, for administrators. */
@Module({
  imports: [RegionSignersModule],
  controllers: [CustodyController],
  providers: [CustodyService, LostKeysRepository],
})
export class CustodyModule {}
