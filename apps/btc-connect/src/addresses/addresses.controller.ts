import { Controller, Res } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply } from 'fastify'
import { sendResult } from '../edge/read-result.js'
import { balanceOf } from './address.js'
import { AddressesService } from './addresses.service.js'

const { addresses } = btcConnect
type Sum = Promise<WritableReply<Reply<typeof addresses.totalsOfSeveral>>>
type Total = Promise<WritableReply<Reply<typeof addresses.balance>>>

@Controller()
export class AddressesController {
  constructor(private readonly addresses: AddressesService) {}

  @Serves(addresses.summary)
  async summary(
    @Parsed() { params, query }: Input<typeof addresses.summary>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WritableReply<Reply<typeof addresses.summary>>> {
    return sendResult(reply, await this.addresses.summary(params.addr, query))
  }

  @Serves(addresses.totalsOfSeveral)
  async totalsOfSeveral(
    @Parsed() { params }: Input<typeof addresses.totalsOfSeveral>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Sum {
    return sendResult(reply, await this.addresses.sum(params.addrs))
  }

  @Serves(addresses.totalsOfListed)
  async totalsOfListed(@Parsed() { body }: Input<typeof addresses.totalsOfListed>, @Res({ passthrough: true }) reply: FastifyReply): Sum {
    return sendResult(reply, await this.addresses.sum(body?.addrs))
  }

  @Serves(addresses.balance)
  async balance(@Parsed() { params }: Input<typeof addresses.balance>, @Res({ passthrough: true }) reply: FastifyReply): Total {
    return sendResult(reply, await this.addresses.total(params.addr, balanceOf))
  }

  @Serves(addresses.totalReceived)
  async totalReceived(@Parsed() { params }: Input<typeof addresses.totalReceived>, @Res({ passthrough: true }) reply: FastifyReply): Total {
    return sendResult(reply, await this.addresses.total(params.addr, ({ received }) => received))
  }

  @Serves(addresses.totalSent)
  async totalSent(@Parsed() { params }: Input<typeof addresses.totalSent>, @Res({ passthrough: true }) reply: FastifyReply): Total {
    return sendResult(reply, await this.addresses.total(params.addr, ({ sent }) => sent))
  }

  @Serves(addresses.unconfirmedBalance)
  async unconfirmed(
    @Parsed() { params }: Input<typeof addresses.unconfirmedBalance>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Total {
    return sendResult(reply, await this.addresses.total(params.addr, ({ unconfirmed }) => unconfirmed))
  }
}
