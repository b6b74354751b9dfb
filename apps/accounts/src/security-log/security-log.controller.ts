import { Readable } from 'node:stream'
import { Controller, Req, Res, StreamableFile } from '@nestjs/common'
import { OpenStreams } from '@trestle/auth/open-streams'
import { securityLog } from '@trestle/contracts/accounts/security-log'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nextLink } from '@trestle/runtime/next-link'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SecurityLogService } from './security-log.service.js'

@Controller()
export class SecurityLogController {
  constructor(
    private readonly log: SecurityLogService,
    private readonly streams: OpenStreams,
  ) {}

  @Serves(securityLog.list)
  async list(
    @Parsed() { query }: Input<typeof securityLog.list>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof securityLog.list>> {
    const { events, next } = await this.log.list(query)
    if (next) void reply.headers(nextLink(request.originalUrl, { ...query, ...next }))
    return events
  }

  @Serves(securityLog.lines)
  lines(@Parsed() { query }: Input<typeof securityLog.lines>, @Req() request: FastifyRequest): StreamableFile {
    const lines = Readable.from(this.log.lines(query), { objectMode: false })
    return new StreamableFile(this.streams.guard(lines, { request, access: 'manager' }), { type: 'application/x-ndjson; charset=utf-8' })
  }
}
