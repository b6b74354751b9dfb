import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { AddressTransactionsService } from './address-transactions.service.js'

const { addresses } = btcConnect

@Controller()
export class AddressTransactionsController {
  constructor(private readonly transactions: AddressTransactionsService) {}

  @Serves(addresses.transactionsOfSeveral)
  async page(
    @Parsed() { params, query }: Input<typeof addresses.transactionsOfSeveral>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WritableReply<Reply<typeof addresses.transactionsOfSeveral>>> {
    return sendResult(reply, await this.transactions.page(params.addrs, query))
  }

  @Serves(addresses.transactionsOfListed)
  async summaries(
    @Parsed() { query, body }: Input<typeof addresses.transactionsOfListed>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WritableReply<Reply<typeof addresses.transactionsOfListed>>> {
    return sendResult(reply, await this.transactions.summaries(body?.addrs, { ...body, ...query }))
  }
}
