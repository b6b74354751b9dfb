import { Injectable } from '@nestjs/common'
import type { FactorAdded, secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Caller } from '@trestle/contracts/caller'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { invalidChallenge } from './challenge.js'
import { ChallengesService } from './challenges.service.js'
import { FactorAdditionsService } from './factor-additions.service.js'
import { FactorOwnerService } from './factor-owner.service.js'
import { PasskeysService } from './passkeys.service.js'
import { invalidFactor, requireRoomForFactor } from './second-factor.js'

type Confirmation = Input<typeof secondFactors.confirmPasskey>['body']

@Injectable()
export class PasskeyEnrolmentService {
  constructor(
    private readonly owners: FactorOwnerService,
    private readonly challenges: ChallengesService,
    private readonly passkeys: PasskeysService,
    private readonly additions: FactorAdditionsService,
  ) {}

  async begin(caller: Caller, password: string | undefined, origin: RequestOrigin): Promise<Reply<typeof secondFactors.enrolPasskey>> {
    const { user, existing } = await this.owners.requireAllowed(caller, password, origin)
    const { challenge, expiresAt } = await this.challenges.issue('enrolment', { userId: user.id, epoch: user.epoch })
    const passkeys = existing.filter((factor) => factor.kind === 'passkey')
    const options = await this.passkeys.creationOptions(user, challenge, passkeys)
    return { challenge, expiresAt: expiresAt.toISOString(), options: { ...options } }
  }

  async confirm(caller: Caller, { challenge, name, passkey: response }: Confirmation, origin: RequestOrigin): Promise<FactorAdded> {
    const { userId } = caller
    const [user, asked] = await Promise.all([this.owners.require(userId), this.challenges.require(challenge, 'enrolment')])
    if (asked.userId !== userId || asked.epoch !== user.epoch) throw invalidChallenge()
    const verified = await this.passkeys.verifyNew(response, challenge)
    if (!verified.success) throw invalidFactor(verified.cause)
    await this.challenges.take(challenge)
    return this.additions.add(caller, origin, ({ tx, now, existing }) => {
      requireRoomForFactor(existing)
      return this.passkeys.add(tx, { userId, name, createdAt: now }, verified.passkey)
    })
  }
}
