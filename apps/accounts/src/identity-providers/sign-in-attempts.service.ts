import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { identityProviders } from '@trestle/contracts/accounts/identity-providers'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Clock } from '@trestle/runtime/clock'
import { guessingThrottle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { ExternalIdentity } from './external-identity.js'
import { IdentityProviderClient } from './identity-provider.client.js'
import type { ProviderSettings } from './provider-settings.js'
import { newAttempt, type StepUpSession, signInExpired } from './sign-in-attempt.js'
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js'

interface FinishedAttempt {
  readonly identity: ExternalIdentity
  /** Of a step-up. */
  readonly session: StepUpSession | undefined
}

/** The way to an identity provider and back. */
@Injectable()
export class SignInAttemptsService {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly provider: IdentityProviderClient,
    private readonly throttling: ThrottlingService,
    private readonly clock: Clock,
  ) {}

  /** In a session: to prove once more who its user is. */
  begin(provider: ProviderSettings, network: string, session?: StepUpSession): Promise<Reply<typeof identityProviders.begin>> {
    return this.throttling.inTurn(network, async () => {
      await this.throttling.spend({ providerSignInsFromNetwork: network })
      const record = newAttempt(
        { provider: provider.id, session },
        { state: secret(), nonce: secret(), codeVerifier: secret() },
        this.clock.now(),
      )
      const authorizationUrl = await this.provider.authorizationUrl(provider, record)
      const attempt = secret()
      await this.attempts.insert(attempt, record)
      return { authorizationUrl, attempt, expiresAt: record.expiresAt.toISOString() }
    })
  }

  /** Who came back. Problem `SignInExpired` unless this browser went there; each attempt calls the provider once at most. */
  finish(
    provider: ProviderSettings,
    { attempt, callback }: Input<typeof identityProviders.finish>['body'],
    network: string,
  ): Promise<FinishedAttempt> {
    return this.throttling.inTurn(network, async () => {
      const record = await this.throttling.attempt([guessingThrottle(network)], (now) => this.attempts.take(attempt, provider.id, now))
      if (!record) throw signInExpired()
      const { userId, sessionId } = record
      const session = userId !== null && sessionId !== null ? { userId, sessionId } : undefined
      return { identity: await this.provider.identify(provider, record, callback), session }
    })
  }
}

// RFC 7636 section 4.1 wants 43 characters of a verifier: 256 bits have so many.
function secret(): string {
  return randomBytes(32).toString('base64url')
}
