import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { MailDeliveryService } from './mail-delivery.service.js'

const POLL_MS = 1_000

/** Sends the mails that are due: right after the commit that queued one, and again after a failed attempt. */
@Injectable()
export class MailSender implements OnApplicationBootstrap {
  #requested = false
  #running: Promise<void> | undefined

  constructor(
    private readonly delivery: MailDeliveryService,
    private readonly lifecycle: Lifecycle,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const poll = setInterval(() => this.wake(), POLL_MS)
    this.lifecycle.onDrain(() => {
      clearInterval(poll)
      return this.#running
    })
  }

  wake(): void {
    this.#requested = true
    this.#running ??= this.run().finally(() => {
      this.#running = undefined
    })
  }

  private async run(): Promise<void> {
    while (this.#requested) {
      this.#requested = false
      try {
        this.#requested = (await this.delivery.deliverDue()) || this.#requested
      } catch (error) {
        this.logger.warn({ err: error }, 'cannot read the queued mails, will retry')
      }
    }
  }
}
