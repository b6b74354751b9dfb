import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { UsageService } from './usage.service.js'

const FLUSH_MS = 1_000

@Injectable()
export class UsageJob implements OnApplicationBootstrap {
  constructor(
    private readonly usage: UsageService,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(FLUSH_MS, 'write what was used', () => this.usage.flush())
    this.lifecycle.onFlush(() => this.usage.flush())
  }
}
