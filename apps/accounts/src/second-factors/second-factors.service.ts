import { Injectable } from '@nestjs/common'
import type { SecondFactor as DescribedFactor, FactorChallenge, SecondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Caller } from '@trestle/contracts/caller'
import type { User } from '../users/user.js'
import type { AskedAfter } from './challenge.js'
import { ChallengesService } from './challenges.service.js'
import { FactorOwnerService } from './factor-owner.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { describeFactor, unknownFactor } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

/** The factors of a user, and the question for one of them. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly challenges: ChallengesService,
    private readonly owners: FactorOwnerService,
  ) {}

  async list(userId: string): Promise<SecondFactors> {
    const [factors, recoveryCodes, hasPassword] = await Promise.all([
      this.factors.list(userId),
      this.recoveryCodes.count(userId),
      this.owners.hasPassword(userId),
    ])
    return { factors: factors.map(describeFactor), recoveryCodes, hasPassword }
  }

  async rename(userId: string, id: string, name: string): Promise<DescribedFactor> {
    const renamed = await this.factors.rename(userId, id, name)
    if (!renamed) throw unknownFactor()
    return describeFactor(renamed)
  }

  /** The question for a factor; undefined for a user who has none. */
  async ask({ id, epoch }: Pick<User, 'id' | 'epoch'>, after: AskedAfter): Promise<FactorChallenge | undefined> {
    const factors = await this.factors.list(id)
    if (factors.length === 0) return undefined
    return this.challenges.ask({ id, epoch, factors, recoveryCodes: await this.recoveryCodes.count(id) }, after)
  }

  async askAgain({ userId, sessionId }: Caller): Promise<FactorChallenge> {
    const challenge = await this.ask(await this.owners.require(userId), { sessionId })
    if (!challenge) throw unknownFactor()
    return challenge
  }
}
