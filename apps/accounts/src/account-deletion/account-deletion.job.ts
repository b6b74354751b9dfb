import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { DueDeletionsService } from './due-deletions.service.js'

const EVERY_MS = 60_000

@Injectable()
export class AccountDeletionJob implements OnApplicationBootstrap {
  constructor(
    private readonly due: DueDeletionsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'delete accounts', () => this.due.run())
  }
}
