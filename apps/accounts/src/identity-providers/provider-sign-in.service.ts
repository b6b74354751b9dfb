import { Injectable } from '@nestjs/common'
import type { identityProviders } from '@trestle/contracts/accounts/identity-providers'
import type { Reply } from '@trestle/contracts/endpoint'
import type { SignedIn } from '../sign-in/session-opening.service.js'
import { SignInCompletionService } from '../sign-in/sign-in-completion.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import type { ExternalIdentity } from './external-identity.js'
import { IdentityUsersService } from './identity-users.service.js'
import { ProviderDirectoryService } from './provider-directory.service.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInAttemptsService } from './sign-in-attempts.service.js'

@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly directory: ProviderDirectoryService,
    private readonly attempts: SignInAttemptsService,
    private readonly users: IdentityUsersService,
    private readonly completion: SignInCompletionService,
  ) {}

  begin(id: string, { network }: RequestOrigin): Promise<Reply<typeof identityProviders.begin>> {
    return this.attempts.begin(this.directory.get(id), network)
  }

  /** Opens a session for whom the provider names, or asks for a second factor of ours that the user has. */
  async finish(provider: ProviderSettings, identity: ExternalIdentity, origin: RequestOrigin): Promise<SignedIn> {
    if (identity.email) this.directory.requireAllowed(identity.email.canonical, provider)
    const { user, identityId } = await this.users.find(provider, identity, origin.network)
    // The user may have another address here than there.
    this.directory.requireAllowed(user.emailCanonical, provider)
    const { authenticatedAt } = identity
    return this.completion.proceed(user, { ...origin, provider: provider.id, identityId, authenticatedAt })
  }
}
