import { Injectable } from '@nestjs/common'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { parseBasic } from './basic-credentials.js'
import { CredentialsService } from './credentials.service.js'
import { SessionOpeningService, type SignedIn } from './session-opening.service.js'
import { invalidCredentials } from './sign-in.js'

@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly opening: SessionOpeningService,
  ) {}

  /** Opens a session for the user that the `Authorization` header names. */
  async signIn(authorization: readonly string[], origin: RequestOrigin): Promise<SignedIn> {
    const basic = parseBasic(authorization)
    if (!basic) throw invalidCredentials()
    return this.opening.open(await this.credentials.verify(basic, origin.network), origin)
  }
}
