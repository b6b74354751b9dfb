import { Injectable } from '@nestjs/common'
import type { SessionOrigin } from '../sessions/session.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { User } from '../users/user.js'
import { SessionOpeningService, type SignedIn } from './session-opening.service.js'

/** Opens sessions for users who have proved who they are without a password here. */
@Injectable()
export class PasswordlessOpeningService {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly opening: SessionOpeningService,
  ) {}

  async open(user: User, origin: SessionOrigin & Pick<RequestOrigin, 'network'>): Promise<SignedIn> {
    const isNewNetwork = !(await this.throttling.isKnownNetwork(user.id, origin.network))
    await this.throttling.rememberNetwork(user.id, origin.network)
    return this.opening.open({ user, isNewNetwork }, origin)
  }
}
