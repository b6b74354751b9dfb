import { Injectable } from '@nestjs/common'
import { KeySource } from '@trestle/auth/key-store'
import type { listKeys } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { SigningKeysService } from './signing-keys.service.js'

/** The public keys of access tokens, for this service's own guards and for every other verifier. */
@Injectable()
export class OwnKeysService extends KeySource {
  constructor(private readonly keys: SigningKeysService) {
    super()
  }

  /** Without the keys of refresh tokens, which only this service verifies. */
  async fetch(): Promise<ReplyOf<typeof listKeys>> {
    const [account, client] = await Promise.all([this.keys.published('account'), this.keys.published('client')])
    return { account: account.map(({ publicJwk }) => publicJwk), client: client.map(({ publicJwk }) => publicJwk) }
  }
}
