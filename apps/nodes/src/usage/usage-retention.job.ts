import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { UsageReports } from './usage-reports.service.js'

const EVERY_MS = 86_400_000

@Injectable()
export class UsageRetentionJob implements OnApplicationBootstrap {
  constructor(
    private readonly reports: UsageReports,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'remove the usage of long ago', () => this.reports.removeOutlived())
  }
}
