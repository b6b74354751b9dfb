import { Controller, Req, Res } from '@nestjs/common'
import { administration } from '@trestle/contracts/accounts/administration'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nextLink } from '@trestle/runtime/next-link'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MailsService } from '../mail/mails.service.js'
import { CompromisedKeysService } from '../signing-keys/compromised-keys.service.js'
import { SigningKeysService } from '../signing-keys/signing-keys.service.js'
import { UsersService } from '../users/users.service.js'

const DEFAULT_LIMIT = 50

@Controller()
export class AdministrationController {
  constructor(
    private readonly accounts: UsersService,
    private readonly keys: SigningKeysService,
    private readonly compromisedKeys: CompromisedKeysService,
    private readonly outgoing: MailsService,
  ) {}

  @Serves(administration.users)
  async users(
    @Parsed() { query }: Input<typeof administration.users>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof administration.users>> {
    const { limit = DEFAULT_LIMIT, email, cursor } = query
    const page = await this.accounts.list({ limit, email, cursor })
    if (page.next) void reply.headers(nextLink(request.originalUrl, { limit, email, cursor: page.next }))
    return page.users
  }

  @Serves(administration.user)
  user(@Parsed() { params }: Input<typeof administration.user>): Promise<Reply<typeof administration.user>> {
    return this.accounts.get(params.id)
  }

  @Serves(administration.disable)
  disable(@Parsed() { params }: Input<typeof administration.disable>): Promise<Reply<typeof administration.disable>> {
    return this.accounts.disable(params.id)
  }

  @Serves(administration.enable)
  enable(@Parsed() { params }: Input<typeof administration.enable>): Promise<Reply<typeof administration.enable>> {
    return this.accounts.enable(params.id)
  }

  @Serves(administration.signingKeys)
  signingKeys(): Promise<Reply<typeof administration.signingKeys>> {
    return this.keys.describe()
  }

  @Serves(administration.rotate)
  async rotate(): Promise<Reply<typeof administration.rotate>> {
    await this.keys.rotate()
    return this.keys.describe()
  }

  @Serves(administration.compromise)
  async compromise(@Parsed() { params }: Input<typeof administration.compromise>): Promise<Reply<typeof administration.compromise>> {
    await this.compromisedKeys.declare(params.kid)
    return this.keys.describe()
  }

  @Serves(administration.mails)
  mails(@Parsed() { query }: Input<typeof administration.mails>): Promise<Reply<typeof administration.mails>> {
    return this.outgoing.list(query.state, query.limit ?? DEFAULT_LIMIT)
  }

  @Serves(administration.resend)
  resend(@Parsed() { params }: Input<typeof administration.resend>): Promise<Reply<typeof administration.resend>> {
    return this.outgoing.resend(params.id)
  }
}
