import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import { LiveWorkloads } from './live-workloads.service.js'

/** Also where nothing was heard a change holds within two seconds. */
const READ_MS = 1_500

/** Keeps what is in memory true: by what is told over NATS at once, by looking again for whatever was not heard. */
@Injectable()
export class LiveWorkloadsJob implements OnApplicationBootstrap {
  constructor(
    private readonly workloads: LiveWorkloads,
    private readonly broadcasts: Broadcasts,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.subscribe(nodeChanged, ({ id }) => this.workloads.forget(id))
    void this.jobs.every(READ_MS, 'read the workloads again', () => this.workloads.readAgain())
  }
}
