import { Injectable } from '@nestjs/common'
import { listKeys } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { NatsClient } from '@trestle/messaging/nats.client'
import { firstValueFrom } from 'rxjs'
import { KeySource } from './key-store.js'

/** The keys, from the accounts service over NATS. */
@Injectable()
export class AccountsKeysClient extends KeySource {
  constructor(private readonly nats: NatsClient) {
    super()
  }

  fetch(): Promise<ReplyOf<typeof listKeys>> {
    return firstValueFrom(this.nats.send(listKeys, {}))
  }
}
