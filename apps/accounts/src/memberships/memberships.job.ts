import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Memberships } from '@trestle/auth/memberships'
import { Jobs } from '@trestle/runtime/jobs'

const POLL_MS = 1_000

/** Replicas of this service share the table, so they poll it often instead of waiting for NATS. */
@Injectable()
export class MembershipsJob implements OnApplicationBootstrap {
  constructor(
    private readonly memberships: Memberships,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(POLL_MS, 'read the memberships', () => this.memberships.poll())
  }
}
