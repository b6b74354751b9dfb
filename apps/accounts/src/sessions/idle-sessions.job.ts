import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { IdleSessionsService } from './idle-sessions.service.js'

const EVERY_MS = 60_000

@Injectable()
export class IdleSessionsJob implements OnApplicationBootstrap {
  private isFirstRun = true

  constructor(
    private readonly idleSessions: IdleSessionsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'end idle sessions', () => this.run())
  }

  /** At first the activity is read that arrived while no replica ran. */
  private async run(): Promise<void> {
    if (!this.isFirstRun) await this.idleSessions.endIdle()
    this.isFirstRun = false
  }
}
