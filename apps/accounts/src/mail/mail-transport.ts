export interface DeliverableMail {
  /** Becomes the Message-ID, by which a mail that is delivered twice is recognised. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

/** Where mails go: to an SMTP server, or into the mailbox of a development machine. */
export abstract class MailTransport {
  /** Throws MailRefused when delivery can never succeed, and any other error when it may succeed later. */
  abstract deliver(mail: DeliverableMail): Promise<void>
}
