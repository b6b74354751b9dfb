import { Controller } from '@nestjs/common'
import { listKeys } from '@trestle/contracts/accounts/messages'
import type { Answer } from '@trestle/contracts/message'
import { Answers } from '@trestle/messaging/answers'
import { OwnKeys } from '../signing-keys/own-keys.service.js'

@Controller()
export class DiscoveryConsumer {
  constructor(private readonly keys: OwnKeys) {}

  @Answers(listKeys)
  list(): Promise<Answer<typeof listKeys>> {
    return this.keys.fetch()
  }
}
