import { Injectable } from '@nestjs/common'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { parseBasic } from './basic-credentials.js'
import { CredentialsService } from './credentials.service.js'
import type { SignedIn } from './session-opening.service.js'
import { invalidCredentials } from './sign-in.js'
import { SignInCompletionService } from './sign-in-completion.service.js'

@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly completion: SignInCompletionService,
    private readonly directory: ProviderDirectoryService,
  ) {}

  /** Opens a session for the user that the `Authorization` header names, or asks for a second factor. */
  async signIn(authorization: readonly string[], origin: RequestOrigin): Promise<SignedIn> {
    const basic = parseBasic(authorization)
    if (!basic) throw invalidCredentials()
    this.directory.requireAllowed(basic.identifier)
    const user = await this.credentials.verify(basic, origin.network)
    // By an id: only whoever knows the password learns of which domain the user is.
    this.directory.requireAllowed(user.emailCanonical)
    return this.completion.proceed(user, origin)
  }
}
