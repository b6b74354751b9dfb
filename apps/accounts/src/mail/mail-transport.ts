export interface DeliverableMail {
  /** Becomes the Message-ID: a mail that is delivered twice is seen to be one. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

/** Where mails go: to an SMTP server, or into the mailbox of a development machine. */
export abstract class MailTransport {
  /** Settles once the mail is handed over; MailRefused when that will never succeed, any other error when it may later. */
  abstract deliver(mail: DeliverableMail): Promise<void>
}
