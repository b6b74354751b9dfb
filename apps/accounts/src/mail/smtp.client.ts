import { Inject, Injectable } from '@nestjs/common'
import { codeOf } from '@trestle/problem/thrown'
import { createTransport } from 'nodemailer'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { deliverable } from '../users/email.js'
import { MailRefused } from './mail.js'
import { type DeliverableMail, MailTransport } from './mail-transport.js'

const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000, dnsTimeout: 5_000 }
// Each of the above starts over with every byte; this one does not.
const ATTEMPT_MS = 45_000
// Errors about the mail itself, not about the connection or our credentials.
const MAIL_ERRORS = ['EENVELOPE', 'EMESSAGE']

@Injectable()
export class SmtpClient extends MailTransport {
  private readonly transport

  constructor(@Inject(ENV) private readonly env: AccountsEnv) {
    super()
    this.transport = createTransport({ url: env.SMTP_URL, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS })
  }

  async deliver({ id, recipient, subject, text }: DeliverableMail): Promise<void> {
    const from = this.env.MAIL_FROM
    const to = deliverable(recipient)
    try {
      await this.transport.sendMail({
        messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
        from: { name: 'Trestle', address: from },
        // As objects, and with an envelope of its own: nodemailer would read a string as a list of addresses.
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject,
        text,
        // RFC 3834 section 5: no vacation answers.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(ATTEMPT_MS),
      })
    } catch (error) {
      throw isRefusal(error) ? new MailRefused(error.response, { cause: error }) : error
    }
  }
}

/** RFC 5321 section 4.2.1: a code of 500 and above is final. */
function isRefusal(error: unknown): error is { response: string } {
  return Number(Object(error).responseCode) >= 500 && MAIL_ERRORS.includes(codeOf(error) ?? '')
}
