import { Injectable } from '@nestjs/common'
import type { FactorProof } from '@trestle/auth/claims'
import type { Caller } from '@trestle/contracts/caller'
import type { AccountsTransaction } from '../database.module.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { IssuerService } from '../tokens/issuer.service.js'
import { passwordHashOf, type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'

/** What tokens say about factors changes with the first and the last one: no token from before stays valid. */
@Injectable()
export class SessionRestartService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly issuer: IssuerService,
    private readonly users: UsersService,
  ) {}

  /** Ends every session of a user, and opens another one like that of the caller: the token of this one is returned. */
  async restart(
    tx: AccountsTransaction,
    caller: Caller,
    origin: RequestOrigin,
    { now, proof }: { now: Date; proof?: FactorProof },
  ): Promise<string> {
    const { userId: id } = caller
    const user = await this.users.find(id)
    if (!user) throw unknownUser()
    const { epoch, sessionId } = await this.sessions.restart(tx, caller, origin, now)
    return this.issuer.accountToken({ id, email: user.emailCanonical, epoch }, { sessionId, proof: proof && proofFor(user, proof) }, now)
  }

  async end(tx: AccountsTransaction, userId: string, now: Date): Promise<void> {
    await this.sessions.endAllOf(tx, userId, now)
  }
}

/** Who has no password has proven to be the owner at an identity provider. */
function proofFor(user: User, { methods, at }: FactorProof): FactorProof {
  return { methods: passwordHashOf(user) ? methods : methods.filter((method) => method !== 'pwd'), at }
}
