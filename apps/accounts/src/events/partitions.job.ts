import { Injectable, type OnModuleInit } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { EventsService } from './events.service.js'

const EVERY_MS = 24 * 3600_000

@Injectable()
export class PartitionsJob implements OnModuleInit {
  constructor(
    private readonly events: EventsService,
    private readonly jobs: Jobs,
  ) {}

  /** Awaited, so that the first event that is consumed has a partition. */
  onModuleInit(): Promise<void> {
    return this.jobs.every(EVERY_MS, 'maintain the event partitions', () => this.events.maintainPartitions())
  }
}
