import { Module } from '@nestjs/common'
import { EarningsRepository } from './earnings.repository.js'
import { Earnings } from './earnings.service.js'

/** Tells what validators have earned. */
@Module({ providers: [Earnings, EarningsRepository], exports: [Earnings] })
export class RewardsModule {}
