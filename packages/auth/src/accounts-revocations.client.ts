import { Injectable } from '@nestjs/common'
import { listRevocations } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { NatsClient } from '@trestle/messaging/nats.client'
import { Signatures } from '@trestle/messaging/signatures'
import { requestOverHttp } from '@trestle/messaging/signed-http'
import { firstValueFrom } from 'rxjs'
import { AuthConfig } from './auth-config.js'
import { RevocationSource } from './revocations.js'

/** The revocations, from the accounts service: over NATS, or by its internal HTTP port while NATS is away. */
@Injectable()
export class AccountsRevocationsClient extends RevocationSource {
  constructor(
    private readonly nats: NatsClient,
    private readonly signatures: Signatures,
    private readonly config: AuthConfig,
  ) {
    super()
  }

  async list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    try {
      return await firstValueFrom(this.nats.send(listRevocations, request))
    } catch (cause) {
      const { accountsInternalUrl } = this.config
      if (!accountsInternalUrl) throw cause
      return requestOverHttp(this.signatures, listRevocations, new URL('/revocations', accountsInternalUrl), request)
    }
  }
}
