import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Revocations } from '@trestle/auth/revocations'
import { Jobs } from '@trestle/runtime/jobs'

const POLL_MS = 1_000

/** Replicas of this service share the table, so they poll it often instead of waiting for NATS. */
@Injectable()
export class RevocationsJob implements OnApplicationBootstrap {
  constructor(
    private readonly revocations: Revocations,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(POLL_MS, 'read the revocations', () => this.revocations.poll())
  }
}
