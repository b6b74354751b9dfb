import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { FailureWriter } from './failure-writer.engine.js'
import { FailuresService } from './failures.service.js'

const FLUSH_MS = 1_000
const RETENTION_MS = 3_600_000

@Injectable()
export class FailuresJob implements OnApplicationBootstrap {
  constructor(
    private readonly writer: FailureWriter,
    private readonly failures: FailuresService,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(FLUSH_MS, 'write failures', () => this.writer.write())
    void this.jobs.every(RETENTION_MS, 'remove old failures', () => this.failures.removeExpired())
    this.lifecycle.onFlush(() => this.writer.write())
  }
}
