import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { BillingNamesService } from './billing-names.service.js'

const READ_MS = 3_600_000

/** Keeps names on bills as they are known on each day. */
@Injectable()
export class BillingNamesJob implements OnApplicationBootstrap {
  constructor(
    private readonly names: BillingNamesService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(READ_MS, 'read the names on bills', () => this.names.read())
  }
}
