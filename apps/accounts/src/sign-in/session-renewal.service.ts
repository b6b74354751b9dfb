import { Injectable } from '@nestjs/common'
import type { FactorProof } from '@trestle/auth/claims'
import type { AccountsTransaction } from '../database.module.js'
import { signInExpired } from '../identity-providers/sign-in-attempt.js'
import { invalidChallenge } from '../second-factors/challenge.js'
import { isFreshProof } from '../sessions/session.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { User } from '../users/user.js'
import type { SignedIn } from './session-opening.service.js'

interface Renewal {
  readonly user: User
  readonly sessionId: string
  readonly proof?: FactorProof
}

/** Newer tokens of a session; they end when the session does. */
@Injectable()
export class SessionRenewalService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly issuer: IssuerService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** One that says when a factor was proven. */
  renew(user: User, sessionId: string, methods: readonly string[]): Promise<SignedIn> {
    return this.unitOfWork.run(async (tx, at) => {
      const signedIn = await this.sign(tx, { user, sessionId, proof: { methods, at } }, at)
      if (!signedIn) throw invalidChallenge()
      return signedIn
    })
  }

  /** Of a session that is fresh again since its user has signed in at an identity provider. Undefined where that is too long ago, or not known. */
  refresh(user: User, sessionId: string, authenticatedAt: Date | undefined): Promise<SignedIn | undefined> {
    return this.unitOfWork.run(async (tx, now) => {
      if (!authenticatedAt || !isFreshProof(authenticatedAt, now)) return undefined
      await this.sessions.refresh(tx, { id: sessionId, userId: user.id }, authenticatedAt)
      const signedIn = await this.sign(tx, { user, sessionId }, now)
      if (!signedIn) throw signInExpired()
      return signedIn
    })
  }

  private async sign(tx: AccountsTransaction, { user, sessionId, proof }: Renewal, now: Date): Promise<SignedIn | undefined> {
    const { id, emailCanonical: email, epoch } = user
    const session = await this.sessions.findOpen(tx, { id: sessionId, userId: id }, now)
    if (!session) return undefined
    const accessToken = await this.issuer.accountToken({ id, email, epoch }, { sessionId, expiresAt: session.expiresAt, proof }, now)
    return { userId: id, sessionId, accessToken }
  }
}
