import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { WalletsService } from './wallets.service.js'

const { wallets } = btcConnect
type Summary = Promise<WritableReply<Reply<typeof wallets.summary>>>
type Outputs = Promise<WritableReply<Reply<typeof wallets.outputs>>>
type Transactions = Promise<WritableReply<Reply<typeof wallets.transactions>>>

@Controller()
export class WalletsController {
  constructor(private readonly wallets: WalletsService) {}

  @Serves(wallets.summary)
  async summary(@Parsed() { params, query }: Input<typeof wallets.summary>, @Res({ passthrough: true }) reply: FastifyReply): Summary {
    return sendResult(reply, await this.wallets.summary({ ...params, ...query }))
  }

  @Serves(wallets.outputs)
  async outputs(@Parsed() { params, query }: Input<typeof wallets.outputs>, @Res({ passthrough: true }) reply: FastifyReply): Outputs {
    return sendResult(reply, await this.wallets.listOutputs({ ...params, ...query }))
  }

  @Serves(wallets.transactions)
  async transactions(
    @Parsed() { params, query }: Input<typeof wallets.transactions>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Transactions {
    return sendResult(reply, await this.wallets.listTransactions({ ...params, ...query }))
  }

  @Serves(wallets.summaryOfPosted)
  async summaryOfPosted(
    @Parsed() { body }: Input<typeof wallets.summaryOfPosted>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Summary {
    return sendResult(reply, await this.wallets.summary(body))
  }

  @Serves(wallets.outputsOfPosted)
  async outputsOfPosted(
    @Parsed() { body }: Input<typeof wallets.outputsOfPosted>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Outputs {
    return sendResult(reply, await this.wallets.listOutputs(body))
  }

  @Serves(wallets.transactionsOfPosted)
  async transactionsOfPosted(
    @Parsed() { body }: Input<typeof wallets.transactionsOfPosted>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Transactions {
    return sendResult(reply, await this.wallets.listTransactions(body))
  }
}
