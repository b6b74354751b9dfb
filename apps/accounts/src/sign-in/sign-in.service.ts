import { Injectable } from '@nestjs/common'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
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
    private readonly directory: ProviderDirectoryService,
  ) {}

  /** Opens a session for the user that the `Authorization` header names. */
  async signIn(authorization: readonly string[], origin: RequestOrigin): Promise<SignedIn> {
    const basic = parseBasic(authorization)
    if (!basic) throw invalidCredentials()
    this.directory.requireAllowed(basic.identifier)
    const verified = await this.credentials.verify(basic, origin.network)
    // By an id: only whoever knows the password learns of which domain the user is.
    this.directory.requireAllowed(verified.user.emailCanonical)
    return this.opening.open(verified, origin)
  }
}
