import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { MempoolSize } from '@trestle/contracts/btc-connect/mempool'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { MempoolSizeService } from './mempool-size.service.js'

@Controller()
export class MempoolSizeController {
  constructor(private readonly sizes: MempoolSizeService) {}

  @Serves(btcConnect.mempool.size)
  async show(@Res({ passthrough: true }) reply: FastifyReply): Promise<WritableReply<MempoolSize>> {
    return sendResult(reply, await this.sizes.show())
  }
}
