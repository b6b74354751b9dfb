import { Controller } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { SendingService } from './sending.service.js'

const { sending } = btcConnect

@Controller()
export class SendingController {
  constructor(private readonly sending: SendingService) {}

  @Serves(sending.send)
  send(@Parsed() { body }: Input<typeof sending.send>): Promise<Reply<typeof sending.send>> {
    return this.sending.send(body.rawtx)
  }
}
