import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { TOKEN_KINDS } from '@trestle/auth/claims'
import type { Session as DescribedSession } from '@trestle/contracts/accounts/sessions'
import type { Caller } from '@trestle/contracts/caller'
import { Clock } from '@trestle/runtime/clock'
import type { Transaction } from '../database.module.js'
import { RevocationsService } from '../revocations/revocations.service.js'
import type { Origin } from '../throttling/origin.decorator.js'
import { Transactions } from '../transactions.js'
import { describeSession, unknownSession } from './session.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly revocations: RevocationsService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Opens a session that lives as long as its token; answers its id. */
  async open(tx: Transaction, userId: string, { ip, userAgent }: Origin, now: Date): Promise<string> {
    const id = `session-${randomUUID()}`
    const expiresAt = new Date(now.getTime() + TOKEN_KINDS.account.lifetimeSeconds * 1000)
    await this.sessions.add(tx, { id, userId, ip, userAgent, createdAt: now, expiresAt })
    return id
  }

  async list({ userId, sessionId }: Caller): Promise<DescribedSession[]> {
    const sessions = await this.sessions.list(userId, this.clock.now())
    return sessions.map((session) => describeSession(session, sessionId))
  }

  async end({ userId }: Caller, id: string): Promise<void> {
    await this.transactions.run(async (tx, now) => {
      if (!(await this.sessions.end(tx, { id, userId }, now))) throw unknownSession()
      // A session has no epochs of its own: its tokens are of epoch 0.
      await this.revocations.record(tx, { kind: 'session', id, epoch: 1 })
    })
  }

  async endAll({ userId }: Caller): Promise<void> {
    await this.transactions.run((tx, now) => this.endEvery(tx, userId, now))
  }

  /** Ends every session and kills every access token of a user; answers the user's new epoch. */
  async endEvery(tx: Transaction, userId: string, now: Date): Promise<number> {
    const epoch = await this.sessions.endEvery(tx, userId, now)
    await this.revocations.record(tx, { kind: 'user', id: userId, epoch })
    return epoch
  }
}
