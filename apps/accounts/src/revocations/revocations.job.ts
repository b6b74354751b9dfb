import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Revocations } from '@trestle/auth/revocations'
import { Jobs } from '@trestle/runtime/jobs'

const POLL_MS = 1_000

/** Replicas of this service share the table: they need not wait for NATS, or for the slower poll of the other services. */
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
