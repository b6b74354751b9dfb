import { Injectable } from '@nestjs/common'
import type { FactorAnswer } from '@trestle/contracts/accounts/second-factors'
import { Problem } from '@trestle/problem/problem'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import type { Throttle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { ChallengeRecord } from './challenge.js'
import { ChallengesService } from './challenges.service.js'
import { FactorChangesService } from './factor-changes.service.js'
import { FactorChecksService } from './factor-checks.service.js'
import { codeThrottles, unguessableThrottles } from './factor-throttles.js'
import { invalidFactor, methodReferences } from './second-factor.js'

interface ProvenFactor {
  readonly userId: string
  /** RFC 8176. */
  readonly methods: readonly string[]
}

/** Decides whether an answer proves a factor, and slows down guessing over all replicas. */
@Injectable()
export class FactorProofsService {
  constructor(
    private readonly checks: FactorChecksService,
    private readonly throttling: ThrottlingService,
    private readonly challenges: ChallengesService,
    private readonly changes: FactorChangesService,
  ) {}

  /** Uses up the code or signature, and the challenge. Problem `InvalidSecondFactor` where the answer is wrong. */
  async prove(asked: ChallengeRecord, answer: FactorAnswer, { network }: RequestOrigin): Promise<ProvenFactor> {
    const proven = await this.throttling.inTurn(network, () => this.check(asked, answer, network))
    await this.challenges.take(answer.challenge)
    return proven
  }

  private async check(asked: ChallengeRecord, answer: FactorAnswer, network: string): Promise<ProvenFactor> {
    const check = this.checks.of(asked, answer)
    const throttles =
      check.method === 'totp' && asked.userId !== null ? await this.codeThrottles(asked.userId, network) : unguessableThrottles(network)
    try {
      const userId = await this.throttling.attempt(throttles, check.run)
      if (userId === undefined) throw invalidFactor()
      return { userId, methods: methodReferences(asked, check.method) }
    } catch (error) {
      if (asked.userId !== null && error instanceof Problem && error.code === 'TooManyAttempts') await this.warn(asked.userId)
      throw error
    }
  }

  private async codeThrottles(userId: string, network: string): Promise<Throttle[]> {
    return codeThrottles(userId, network, await this.throttling.isKnownNetwork(userId, network))
  }

  /** Somebody has the password or a token of the user, and guesses codes. */
  private async warn(userId: string): Promise<void> {
    if (await this.throttling.trySpend({ guessedCodeMailsToUser: userId })) await this.changes.notify(userId, 'guessed')
  }
}
