import { Injectable } from '@nestjs/common'
import { SessionsService } from '../sessions/sessions.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { parseBasic } from './basic-credentials.js'
import { CredentialsService } from './credentials.service.js'
import { invalidCredentials } from './sign-in.js'

interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly accessToken: string
}

@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly issuer: IssuerService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Opens a session for the user that the `Authorization` header names, and signs its token. */
  async signIn(authorization: readonly string[], origin: RequestOrigin): Promise<SignedIn> {
    const basic = parseBasic(authorization)
    if (!basic) throw invalidCredentials()
    const { id, emailCanonical: email, epoch } = await this.credentials.verify(basic, origin.network)
    return this.unitOfWork.run(async (tx, now) => {
      const sessionId = await this.sessions.open(tx, id, origin, now)
      return { userId: id, sessionId, accessToken: await this.issuer.accountToken({ id, email, epoch }, sessionId, now) }
    })
  }
}
