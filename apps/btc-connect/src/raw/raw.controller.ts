import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { FINAL } from '../edge/read-result.js'
import { RawService } from './raw.service.js'

const { raw } = btcConnect

@Controller()
export class RawController {
  constructor(private readonly raw: RawService) {}

  @Serves(raw.block)
  async block(@Parsed() { params }: Input<typeof raw.block>, @Res({ passthrough: true }) reply: FastifyReply) {
    return final(reply, await this.raw.block(params.hash))
  }

  @Serves(raw.transaction)
  async transaction(@Parsed() { params }: Input<typeof raw.transaction>, @Res({ passthrough: true }) reply: FastifyReply) {
    return final(reply, await this.raw.transaction(params.hash))
  }
}

/** What is identified by its hash never changes. */
function final<T>(reply: FastifyReply, body: T): T {
  void reply.header('cache-control', FINAL)
  return body
}
