import { Injectable } from '@nestjs/common'
import { invalidChallenge } from '../second-factors/challenge.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { User } from '../users/user.js'
import type { SignedIn } from './session-opening.service.js'

@Injectable()
export class SessionRenewalService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly issuer: IssuerService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** A token of the same session that says when a factor was proven; it ends when the session does. */
  renew({ id, emailCanonical: email, epoch }: User, sessionId: string, methods: readonly string[]): Promise<SignedIn> {
    return this.unitOfWork.run(async (tx, at) => {
      const session = await this.sessions.findOpen(tx, { id: sessionId, userId: id }, at)
      if (!session) throw invalidChallenge()
      const { expiresAt } = session
      const accessToken = await this.issuer.accountToken({ id, email, epoch }, { sessionId, expiresAt, proof: { methods, at } }, at)
      return { userId: id, sessionId, accessToken }
    })
  }
}
