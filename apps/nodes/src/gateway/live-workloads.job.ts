import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import { LiveWorkloads } from './live-workloads.engine.js'

/** A change takes effect within two seconds even where its announcement was missed. */
const REFRESH_MS = 1_500

@Injectable()
export class LiveWorkloadsJob implements OnApplicationBootstrap {
  constructor(
    private readonly workloads: LiveWorkloads,
    private readonly broadcasts: Broadcasts,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.subscribe(nodeChanged, ({ id }) => this.workloads.forget(id, [id]))
    void this.jobs.every(REFRESH_MS, 'refresh the workloads in memory', () => this.workloads.readAgain())
  }
}
