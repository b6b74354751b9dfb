import { Controller, Headers, Res } from '@nestjs/common'
import { mailbox } from '@trestle/contracts/accounts/mailbox'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { MailboxService } from './mailbox.service.js'
import { mailboxPage, PAGE_HEADERS, prefersPage } from './mailbox-page.js'

@Controller()
export class MailboxController {
  constructor(private readonly mailbox: MailboxService) {}

  @Serves(mailbox.list)
  async list(
    @Parsed() { query }: Input<typeof mailbox.list>,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof mailbox.list>> {
    const mails = await this.mailbox.list(query)
    if (!prefersPage(accept)) return mails
    reply.headers(PAGE_HEADERS)
    // The contract describes only the JSON; the page is for people.
    return mailboxPage(mails, query.to) as never
  }
}
