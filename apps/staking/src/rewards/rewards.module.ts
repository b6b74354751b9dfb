import { Module } from '@nestjs/common'
import { EarningsRepository } from './earnings.repository.js'
import { EarningsService } from './earnings.service.js'
import { ValidatorDaysRepository } from './validator-days.repository.js'

/** Reads what validators have earned. */
@Module({ providers: [EarningsService, EarningsRepository, ValidatorDaysRepository], exports: [EarningsService] })
export class RewardsModule {}
