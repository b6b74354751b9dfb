import { Controller } from '@nestjs/common'
import { listKeys } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { OwnKeysService } from '../signing-keys/own-keys.service.js'

@Controller()
export class DiscoveryConsumer {
  constructor(private readonly keys: OwnKeysService) {}

  @RepliesTo(listKeys)
  list(): Promise<ReplyOf<typeof listKeys>> {
    return this.keys.fetch()
  }
}
