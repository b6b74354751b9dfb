import { Controller } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { StatusAnswer } from '@trestle/contracts/btc-connect/status'
import type { Input, Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { StatusService } from './status.service.js'

const { status } = btcConnect

@Controller()
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Serves(status.show)
  show(@Parsed() { query }: Input<typeof status.show>): Promise<WritableReply<StatusAnswer>> {
    return this.status.show(query.q)
  }

  @Serves(status.sync)
  sync(): Promise<Reply<typeof status.sync>> {
    return this.status.sync()
  }

  @Serves(status.peer)
  peer(): Promise<Reply<typeof status.peer>> {
    return this.status.peer()
  }

  @Serves(status.version)
  version(): Reply<typeof status.version> {
    return this.status.version()
  }
}
