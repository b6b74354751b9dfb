import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { EVENT_TABLE, securityEventTable } from './partition.js'
import { PartitionsService } from './partitions.service.js'

const EVERY_MS = 24 * 3600_000

@Injectable()
export class PartitionsJob implements OnModuleInit {
  constructor(
    private readonly partitions: PartitionsService,
    private readonly jobs: Jobs,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Awaited, so that the first event that is consumed has a partition. */
  onModuleInit(): Promise<void> {
    return this.jobs.every(EVERY_MS, 'maintain the partitions of the events', async () => {
      for (const table of [EVENT_TABLE, securityEventTable(this.env)]) await this.partitions.maintain(table)
    })
  }
}
