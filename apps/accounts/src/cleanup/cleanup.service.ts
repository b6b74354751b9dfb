import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Jobs } from '@trestle/runtime/jobs'
import { CleanupRepository } from './cleanup.repository.js'

const EVERY_MS = 10 * 60_000

@Injectable()
export class CleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly repository: CleanupRepository,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'delete expired rows', () => this.repository.deleteExpired(this.clock.now()))
  }
}
