import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { PlainSealer } from '@trestle/runtime/sealing'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { afterFailure, type DeliveryOutcome } from './mail.js'
import { MailTransport } from './mail-transport.js'
import { type LeasedMail, MailsRepository } from './mails.repository.js'

const BATCH = 10

/** Hands queued mails to the transport. A crash in between sends a mail twice, with the same Message-ID. */
@Injectable()
export class MailDeliveryService {
  private readonly sealer: PlainSealer

  constructor(
    private readonly mails: MailsRepository,
    private readonly transport: MailTransport,
    private readonly clock: Clock,
    @Inject(ENV) { KEY_ENCRYPTION_KEY }: AccountsEnv,
  ) {
    this.sealer = new PlainSealer(KEY_ENCRYPTION_KEY)
  }

  /** Tries to deliver some mails that are due; returns whether there may be more. */
  async deliverDue(): Promise<boolean> {
    const due = await this.mails.lease(BATCH, this.clock.now())
    await Promise.all(due.map(async (mail) => this.mails.updateOutcome(mail, await this.attempt(mail), this.clock.now())))
    return due.length === BATCH
  }

  private async attempt(mail: LeasedMail): Promise<DeliveryOutcome> {
    try {
      const text = this.sealer.open(mail.textSealed)
      await this.transport.deliver({ id: mail.id, recipient: mail.recipient, subject: mail.subject, text })
      return { state: 'sent' }
    } catch (error) {
      return afterFailure(mail, error, this.clock.now())
    }
  }
}
