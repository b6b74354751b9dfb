import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { BlocksService } from './blocks.service.js'
import { DaysService } from './days.service.js'

const { blocks } = btcConnect
type Replied<K extends keyof typeof blocks> = Promise<WritableReply<Reply<(typeof blocks)[K]>>>

@Controller()
export class BlocksController {
  constructor(
    private readonly blocks: BlocksService,
    private readonly days: DaysService,
  ) {}

  @Serves(blocks.list)
  async list(@Parsed() { query }: Input<typeof blocks.list>, @Res({ passthrough: true }) reply: FastifyReply): Replied<'list'> {
    return sendResult(reply, await this.days.list(query))
  }

  @Serves(blocks.one)
  async one(@Parsed() { params }: Input<typeof blocks.one>, @Res({ passthrough: true }) reply: FastifyReply): Replied<'one'> {
    return sendResult(reply, await this.blocks.one(params.hash))
  }

  @Serves(blocks.hash)
  async hash(@Parsed() { params }: Input<typeof blocks.hash>, @Res({ passthrough: true }) reply: FastifyReply): Replied<'hash'> {
    return sendResult(reply, await this.blocks.hashAt(params.height))
  }
}
