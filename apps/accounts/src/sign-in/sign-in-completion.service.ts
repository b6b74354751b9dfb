import { Injectable } from '@nestjs/common'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import { type ChallengeRecord, secondFactorRequired } from '../second-factors/challenge.js'
import { SecondFactorsService } from '../second-factors/second-factors.service.js'
import type { SessionOrigin } from '../sessions/session.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { User } from '../users/user.js'
import { type OpeningProof, SessionOpeningService, type SignedIn } from './session-opening.service.js'

type SignInOrigin = SessionOrigin & Pick<RequestOrigin, 'network'>

/** What follows when somebody has proven to be a user, with a password or in another way. */
@Injectable()
export class SignInCompletionService {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly throttling: ThrottlingService,
    private readonly opening: SessionOpeningService,
    private readonly directory: ProviderDirectoryService,
  ) {}

  /** A session; or Problem `SecondFactorRequired` with a challenge, for a user who has a second factor. */
  async proceed(user: User, origin: SignInOrigin): Promise<SignedIn> {
    const challenge = await this.factors.ask(user, { provider: origin.provider, identityId: origin.identityId })
    if (challenge) throw secondFactorRequired(challenge)
    return this.complete(user, origin)
  }

  /** A session for who has answered the challenge of a sign-in. A passkey replaces no identity provider that the user's domain requires. */
  async answered(user: User, { provider, identityId }: ChallengeRecord, origin: RequestOrigin, proof: OpeningProof): Promise<SignedIn> {
    const signedInWith = provider === null ? undefined : { id: provider }
    this.directory.requireAllowed(user.emailCanonical, signedInWith)
    return this.complete(user, { ...origin, provider: signedInWith?.id, identityId: identityId ?? undefined }, proof)
  }

  /** A session for a user who has proven everything. Only now a network becomes known: a password alone does not make it the user's. */
  async complete(user: User, origin: SignInOrigin, proof?: OpeningProof): Promise<SignedIn> {
    const isNewNetwork = !(await this.throttling.isKnownNetwork(user.id, origin.network))
    await this.throttling.rememberNetwork(user.id, origin.network)
    return this.opening.open({ user, isNewNetwork }, origin, proof)
  }
}
