import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { UsageService } from './usage.service.js'

const FLUSH_MS = 1_000
const RETENTION_MS = 3_600_000

@Injectable()
export class UsageJob implements OnApplicationBootstrap {
  constructor(
    private readonly usage: UsageService<string | number>,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(FLUSH_MS, 'write usage', () => this.usage.flush())
    void this.jobs.every(RETENTION_MS, 'remove old usage', () => this.usage.removeExpired())
    this.lifecycle.onFlush(() => this.usage.flush())
  }
}
