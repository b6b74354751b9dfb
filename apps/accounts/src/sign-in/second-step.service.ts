import { Injectable } from '@nestjs/common'
import type { FactorAnswer } from '@trestle/contracts/accounts/second-factors'
import { type ChallengeRecord, invalidChallenge } from '../second-factors/challenge.js'
import { FactorProofsService } from '../second-factors/factor-proofs.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import type { User } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import type { SignedIn } from './session-opening.service.js'
import { SessionRenewalService } from './session-renewal.service.js'
import { requireAdmitted } from './sign-in.js'
import { SignInCompletionService } from './sign-in-completion.service.js'

/** Answers to challenges: of a sign-in, which opens a session, and of a step-up, which renews the token of one. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly proofs: FactorProofsService,
    private readonly users: UsersService,
    private readonly completion: SignInCompletionService,
    private readonly renewal: SessionRenewalService,
  ) {}

  async answer(asked: ChallengeRecord, answer: FactorAnswer, origin: RequestOrigin): Promise<SignedIn> {
    const { userId, methods } = await this.proofs.prove(asked, answer, origin)
    const user = await this.requireUnchanged(userId, asked)
    return asked.sessionId === null
      ? this.completion.answered(user, asked, origin, { methods })
      : this.renewal.renew(user, asked.sessionId, methods)
  }

  /** Whatever has ended all sessions since, such as a new password, ends the challenge, too. */
  private async requireUnchanged(userId: string, { epoch }: ChallengeRecord): Promise<User> {
    const user = requireAdmitted(await this.users.find(userId))
    if (epoch !== null && user.epoch !== epoch) throw invalidChallenge()
    return user
  }
}
