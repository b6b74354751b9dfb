import { Injectable } from '@nestjs/common'
import type { FactorProof } from '@trestle/auth/claims'
import { NoticesService } from '../notices/notices.service.js'
import type { SessionOrigin } from '../sessions/session.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { User } from '../users/user.js'

export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly accessToken: string
}

interface Opening {
  readonly user: User
  /** Nobody has signed in as this user from there lately. */
  readonly isNewNetwork: boolean
}

/** How a second factor was proven, and when if not now. */
export type OpeningProof = Pick<FactorProof, 'methods'> & Partial<FactorProof>

@Injectable()
export class SessionOpeningService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly issuer: IssuerService,
    private readonly notices: NoticesService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Opens a session, signs its token, and mails the user where the network is new. `proof`: how a second factor was proven, too, and when if not now. */
  open({ user, isNewNetwork }: Opening, origin: SessionOrigin, proof?: OpeningProof): Promise<SignedIn> {
    const { id, emailCanonical: email, epoch } = user
    return this.unitOfWork.run(async (tx, now) => {
      const sessionId = await this.sessions.open(tx, id, origin, now)
      if (isNewNetwork) await this.notices.send(tx, id, { kind: 'new-network', address: origin.ip, at: now })
      return {
        userId: id,
        sessionId,
        accessToken: await this.issuer.accountToken({ id, email, epoch }, { sessionId, proof: proof && { at: now, ...proof } }, now),
      }
    })
  }
}
