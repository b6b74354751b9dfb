import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { MailDelivery } from './mail-delivery.service.js'

const POLL_MS = 1_000

/** Sends the mails that are due: right after a commit that left one, and those to be tried again when their time has come. */
@Injectable()
export class MailSender implements OnApplicationBootstrap {
  #wanted = false
  #running: Promise<void> | undefined

  constructor(
    private readonly delivery: MailDelivery,
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
    this.#wanted = true
    this.#running ??= this.run().finally(() => {
      this.#running = undefined
    })
  }

  private async run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false
      try {
        this.#wanted = (await this.delivery.deliverDue()) || this.#wanted
      } catch (error) {
        this.logger.warn({ err: error }, 'the queued mails could not be read; it is tried again')
      }
    }
  }
}
