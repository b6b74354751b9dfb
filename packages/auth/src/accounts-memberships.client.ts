import { Injectable } from '@nestjs/common'
import { listMemberships } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { NatsClient } from '@trestle/messaging/nats.client'
import { Signatures } from '@trestle/messaging/signatures'
import { requestOverHttp } from '@trestle/messaging/signed-http'
import { firstValueFrom } from 'rxjs'
import { AuthConfig } from './auth-config.js'
import { MembershipSource } from './memberships.js'

/** The memberships, from the accounts service: over NATS, or by its internal HTTP port while NATS is away. */
@Injectable()
export class AccountsMembershipsClient extends MembershipSource {
  constructor(
    private readonly nats: NatsClient,
    private readonly signatures: Signatures,
    private readonly config: AuthConfig,
  ) {
    super()
  }

  async list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
    try {
      return await firstValueFrom(this.nats.send(listMemberships, request))
    } catch (cause) {
      const { accountsInternalUrl } = this.config
      if (!accountsInternalUrl) throw cause
      return requestOverHttp(this.signatures, listMemberships, new URL('/memberships', accountsInternalUrl), request)
    }
  }
}
