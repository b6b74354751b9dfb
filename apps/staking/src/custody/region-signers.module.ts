import { Module } from '@nestjs/common'
import { RegionSignersRepository } from './region-signers.repository.js'

@Module({ providers: [RegionSignersRepository], exports: [RegionSignersRepository] })
export class RegionSignersModule {}
