import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { OutputsService } from './outputs.service.js'

const { addresses } = btcConnect
type Outputs = Promise<WritableReply<Reply<typeof addresses.outputs>>>

@Controller()
export class OutputsController {
  constructor(private readonly outputs: OutputsService) {}

  @Serves(addresses.outputs)
  async ofOne(@Parsed() { params, query }: Input<typeof addresses.outputs>, @Res({ passthrough: true }) reply: FastifyReply): Outputs {
    return sendResult(reply, await this.outputs.list([params.addr], query))
  }

  @Serves(addresses.outputsOfSeveral)
  async ofSeveral(
    @Parsed() { params, query }: Input<typeof addresses.outputsOfSeveral>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Outputs {
    return sendResult(reply, await this.outputs.list(params.addrs, query))
  }

  @Serves(addresses.outputsOfListed)
  async ofListed(
    @Parsed() { query, body }: Input<typeof addresses.outputsOfListed>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Outputs {
    return sendResult(reply, await this.outputs.list(body?.addrs, { ...body, ...query }))
  }
}
