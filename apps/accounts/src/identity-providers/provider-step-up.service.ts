import { Injectable } from '@nestjs/common'
import { stepUpRequired } from '@trestle/auth/auth-problems'
import { requiresFactor } from '@trestle/auth/step-up'
import type { identityProviders } from '@trestle/contracts/accounts/identity-providers'
import type { Caller } from '@trestle/contracts/caller'
import type { Reply } from '@trestle/contracts/endpoint'
import { FRESH_SECONDS } from '../sessions/session.js'
import type { SignedIn } from '../sign-in/session-opening.service.js'
import { SessionRenewalService } from '../sign-in/session-renewal.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import type { ExternalIdentity } from './external-identity.js'
import { IdentityUsersService } from './identity-users.service.js'
import { ProviderDirectoryService } from './provider-directory.service.js'
import type { ProviderSettings } from './provider-settings.js'
import { disabledUser, otherIdentity, type StepUpSession, signInExpired, staleSignIn } from './sign-in-attempt.js'
import { SignInAttemptsService } from './sign-in-attempts.service.js'

/** A fresh sign-in at the identity provider, for users who have neither a password nor a second factor to prove (RFC 9470). */
@Injectable()
export class ProviderStepUpService {
  constructor(
    private readonly directory: ProviderDirectoryService,
    private readonly attempts: SignInAttemptsService,
    private readonly users: IdentityUsersService,
    private readonly renewal: SessionRenewalService,
  ) {}

  /** Problem `StepUpRequired` for who has a second factor: a token without it would be bound by less. */
  async begin(id: string, caller: Caller, { network }: RequestOrigin): Promise<Reply<typeof identityProviders.stepUp>> {
    const provider = this.directory.get(id)
    if (requiresFactor(caller)) throw stepUpRequired(FRESH_SECONDS)
    if (!caller.sessionId) throw signInExpired()
    return this.attempts.begin(provider, network, { userId: caller.userId, sessionId: caller.sessionId })
  }

  /** A newer token of the session. Problem `OtherIdentity` or `StaleSignIn` where the provider has not proven what was asked. */
  async finish(provider: ProviderSettings, identity: ExternalIdentity, { userId, sessionId }: StepUpSession): Promise<SignedIn> {
    const user = (await this.users.recognize(provider, identity))?.user
    if (user?.id !== userId) throw otherIdentity()
    if (user.disabledAt) throw disabledUser()
    this.directory.requireAllowed(user.emailCanonical, provider)
    const signedIn = await this.renewal.refresh(user, sessionId, identity.authenticatedAt)
    if (!signedIn) throw staleSignIn(provider)
    return signedIn
  }
}
