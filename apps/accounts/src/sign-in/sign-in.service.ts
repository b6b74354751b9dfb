import { Injectable } from '@nestjs/common'
import { SessionsService } from '../sessions/sessions.service.js'
import type { Origin } from '../throttling/origin.decorator.js'
import { Issuer } from '../tokens/issuer.service.js'
import { Transactions } from '../transactions.js'
import { parseBasic } from './basic-credentials.js'
import { CredentialsService } from './credentials.service.js'
import { invalidCredentials } from './sign-in.js'

export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly accessToken: string
}

@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly issuer: Issuer,
    private readonly transactions: Transactions,
  ) {}

  /** Opens a session for whom the `Authorization` header names, and signs its token. */
  async signIn(authorization: readonly string[], origin: Origin): Promise<SignedIn> {
    const given = parseBasic(authorization)
    if (!given) throw invalidCredentials()
    const { id, emailCanonical: email, epoch } = await this.credentials.verify(given, origin.network)
    return this.transactions.run(async (tx, now) => {
      const sessionId = await this.sessions.open(tx, id, origin, now)
      return { userId: id, sessionId, accessToken: await this.issuer.accountToken({ id, email, epoch }, sessionId, now) }
    })
  }
}
