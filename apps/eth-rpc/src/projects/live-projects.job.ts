import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { projectChanged } from '@trestle/contracts/eth-rpc/messages'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { LiveProjects } from './live-projects.service.js'

const READ_MS = 10_000

/** Keeps what is in memory true: by what is told over NATS at once, by looking again for whatever was not heard. */
@Injectable()
export class LiveProjectsJob implements OnApplicationBootstrap {
  constructor(
    private readonly projects: LiveProjects,
    private readonly facts: EventSubscriptions,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // A project of another deployment may have the same number: to read one in vain harms nobody.
    this.facts.subscribe(projectChanged, ({ serial }) => this.projects.forget(serial))
    this.facts.onConnected(() => void this.readAgain())
    void this.jobs.every(READ_MS, 'read the projects again', () => this.projects.readAgain())
  }

  /** What was told while NATS was away was missed. */
  private async readAgain(): Promise<void> {
    await this.projects.readAgain().catch((err: unknown) => this.logger.warn({ err }, 'could not read the projects again'))
  }
}
