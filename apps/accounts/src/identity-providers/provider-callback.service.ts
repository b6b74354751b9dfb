import { Injectable } from '@nestjs/common'
import type { identityProviders } from '@trestle/contracts/accounts/identity-providers'
import type { Input } from '@trestle/contracts/endpoint'
import type { SignedIn } from '../sign-in/session-opening.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ProviderDirectoryService } from './provider-directory.service.js'
import { ProviderSignInService } from './provider-sign-in.service.js'
import { ProviderStepUpService } from './provider-step-up.service.js'
import { SignInAttemptsService } from './sign-in-attempts.service.js'

/** What a browser brings back from an identity provider. */
@Injectable()
export class ProviderCallbackService {
  constructor(
    private readonly directory: ProviderDirectoryService,
    private readonly attempts: SignInAttemptsService,
    private readonly signIns: ProviderSignInService,
    private readonly stepUps: ProviderStepUpService,
  ) {}

  /** A new session; of a step-up a newer token of the session in which it was begun. */
  async finish(
    { params, body }: Pick<Input<typeof identityProviders.finish>, 'params' | 'body'>,
    origin: RequestOrigin,
  ): Promise<SignedIn> {
    const provider = this.directory.get(params.provider)
    const { identity, session } = await this.attempts.finish(provider, body, origin.network)
    return session ? this.stepUps.finish(provider, identity, session) : this.signIns.finish(provider, identity, origin)
  }
}
