import { Injectable } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { Clock } from '@trestle/runtime/clock'
import { type DisabledOwner, WorkloadsRepository } from './workloads.repository.js'

/** What happens to workloads when something happens to their owners. Stops what disabled users have in their personal organizations. Data and credentials stay: a user who is enabled again may start it. */
@Injectable()
export class WorkloadOwnersService {
  constructor(
    private readonly repository: WorkloadsRepository,
    private readonly clock: Clock,
  ) {}

  stopWorkloads(owners: readonly DisabledOwner[]): Promise<void> {
    return this.repository.stopAllOf(owners, this.clock.now())
  }

  async inherit(dissolutions: readonly Dissolution[]): Promise<void> {
    for (const dissolution of dissolutions) await this.repository.inherit(dissolution, this.clock.now())
  }
}
