import { Module } from '@nestjs/common'
import { EarningsRepository } from './earnings.repository.js'
import { Earnings } from './earnings.service.js'
import { ValidatorDaysRepository } from './validator-days.repository.js'

/** Tells what validators have earned. */
@Module({ providers: [Earnings, EarningsRepository, ValidatorDaysRepository], exports: [Earnings] })
export class RewardsModule {}
