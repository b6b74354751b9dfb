import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { type DisabledOwner, WorkloadsRepository } from './workloads.repository.js'

/** Stops what disabled users have. Data and credentials stay: a user who is enabled again may start it. */
@Injectable()
export class DisabledOwnersService {
  constructor(
    private readonly repository: WorkloadsRepository,
    private readonly clock: Clock,
  ) {}

  stopWorkloads(owners: readonly DisabledOwner[]): Promise<void> {
    return this.repository.stopAllOf(owners, this.clock.now())
  }
}
