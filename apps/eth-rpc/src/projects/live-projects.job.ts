import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { projectChanged } from '@trestle/contracts/eth-rpc/messages'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { LiveProjects } from './live-projects.engine.js'

const REFRESH_MS = 10_000

@Injectable()
export class LiveProjectsJob implements OnApplicationBootstrap {
  constructor(
    private readonly projects: LiveProjects,
    private readonly facts: EventSubscriptions,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // A project of another deployment may have the same number: one needless read.
    this.facts.subscribe(projectChanged, ({ serial }) => this.projects.forget(serial))
    this.facts.onConnected(() => void this.readAgain())
    void this.jobs.every(REFRESH_MS, 'refresh the projects in memory', () => this.projects.readAgain())
  }

  /** Changes that were announced while NATS was away were missed. */
  private async readAgain(): Promise<void> {
    await this.projects.readAgain().catch((err: unknown) => this.logger.warn({ err }, 'could not refresh the projects in memory'))
  }
}
