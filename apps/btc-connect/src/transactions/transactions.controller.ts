import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { TransactionsService } from './transactions.service.js'

const { transactions } = btcConnect
type Replied<K extends keyof typeof transactions> = Promise<WritableReply<Reply<(typeof transactions)[K]>>>

@Controller()
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Serves(transactions.one)
  async one(@Parsed() { params }: Input<typeof transactions.one>, @Res({ passthrough: true }) reply: FastifyReply): Replied<'one'> {
    return sendResult(reply, await this.transactions.one(params.hash))
  }

  @Serves(transactions.list)
  async list(@Parsed() { query }: Input<typeof transactions.list>, @Res({ passthrough: true }) reply: FastifyReply): Replied<'list'> {
    return sendResult(reply, await this.transactions.list(query))
  }
}
