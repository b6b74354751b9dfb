import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Jobs } from '@trestle/runtime/jobs'
import { IdleSessionsService } from './idle-sessions.service.js'

const EVERY_MS = 60_000

@Injectable()
export class IdleSessionsJob implements OnApplicationBootstrap {
  private isCaughtUp = false

  constructor(
    private readonly idleSessions: IdleSessionsService,
    private readonly connection: NatsConnection,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.connection.onConnected(() => {
      this.isCaughtUp = false
    })
    void this.jobs.every(EVERY_MS, 'end idle sessions', () => this.run())
  }

  /** Use is known from activity: none arrives while NATS is away, and a minute after it is back what had waited has been read. */
  private async run(): Promise<void> {
    const isConnected = this.connection.client !== undefined
    if (isConnected && this.isCaughtUp) await this.idleSessions.endIdle()
    this.isCaughtUp = isConnected
  }
}
