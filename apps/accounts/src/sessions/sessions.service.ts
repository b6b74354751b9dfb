import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { invalidToken } from '@trestle/auth/auth-problems'
import { TOKEN_KINDS } from '@trestle/auth/claims'
import { hasFreshFactor } from '@trestle/auth/step-up'
import type { Session as DescribedSession } from '@trestle/contracts/accounts/sessions'
import type { Activity } from '@trestle/contracts/activity'
import type { Caller } from '@trestle/contracts/caller'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsTransaction } from '../database.module.js'
import { RevocationsService } from '../revocations/revocations.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { describeSession, hasFreshSignIn, identityUnlinked, type SessionOrigin, type SessionRecord, unknownSession } from './session.js'
import { lastUses } from './session-use.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly revocations: RevocationsService,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly clock: Clock,
  ) {}

  /** Opens a session that lasts as long as its token; returns its id. */
  async open(tx: AccountsTransaction, userId: string, { ip, userAgent, ...how }: SessionOrigin, now: Date): Promise<string> {
    const id = `session-${randomUUID()}`
    const expiresAt = new Date(now.getTime() + TOKEN_KINDS.account.lifetimeSeconds * 1000)
    const { provider, identityId, client, authenticatedAt } = how
    const session = { id, userId, ip, userAgent, provider, identityId, client, authenticatedAt, createdAt: now, expiresAt, usedAt: now }
    if (!(await this.sessions.insert(tx, session))) throw identityUnlinked()
    return id
  }

  /** Services verify tokens without asking: that a session is used shows in their activity. */
  async recordUses(activities: readonly Activity[]): Promise<void> {
    const uses = lastUses(activities, this.clock.now())
    if (uses.length > 0) await this.sessions.saveUses(uses)
  }

  async list({ userId, sessionId }: Caller): Promise<DescribedSession[]> {
    const sessions = await this.sessions.list(userId, this.clock.now())
    return sessions.map((session) => describeSession(session, sessionId))
  }

  findOpen(tx: AccountsTransaction, session: Pick<SessionRecord, 'id' | 'userId'>, now: Date): Promise<SessionRecord | undefined> {
    return this.sessions.findOpen(session, now, tx)
  }

  /** The user has proven in it once more who they are. */
  async refresh(tx: AccountsTransaction, session: Pick<SessionRecord, 'id' | 'userId'>, authenticatedAt: Date): Promise<void> {
    await this.sessions.updateAuthenticated(tx, session, authenticatedAt)
  }

  /** The caller's session. Problem `InvalidToken` where it has ended, which other replicas may not know yet. */
  async requireCurrent({ userId, sessionId }: Caller, now = this.clock.now(), tx?: AccountsTransaction): Promise<SessionRecord> {
    const session = sessionId === undefined ? undefined : await this.sessions.findOpen({ id: sessionId, userId }, now, tx)
    if (!session) throw invalidToken('the session has ended')
    return session
  }

  /** Whether the caller has proven who they are within the last minutes: with a second factor, or by signing in. */
  async isFresh(caller: Caller): Promise<boolean> {
    const now = this.clock.now()
    return hasFreshFactor(caller, now) || hasFreshSignIn(await this.requireCurrent(caller, now), now)
  }

  /** In place of the sessions of a user, all of which end: another one like that of the caller. Returns its id, and the user's new epoch. */
  async restart(
    tx: AccountsTransaction,
    caller: Caller,
    { ip, userAgent }: SessionOrigin,
    now: Date,
  ): Promise<{ sessionId: string; epoch: number }> {
    const { provider, identityId, client, authenticatedAt } = await this.requireCurrent(caller, now, tx)
    const epoch = await this.endAllOf(tx, caller.userId, now)
    return { epoch, sessionId: await this.open(tx, caller.userId, { ip, userAgent, provider, identityId, client, authenticatedAt }, now) }
  }

  async end({ userId }: Caller, id: string): Promise<void> {
    await this.unitOfWork.run(async (tx, now) => {
      if (!(await this.sessions.end(tx, { id, userId }, now))) throw unknownSession()
      // A session has no epoch of its own: its tokens carry epoch 0.
      await this.revocations.record(tx, { kind: 'session', id, epoch: 1 })
    })
  }

  async endAll({ userId }: Caller): Promise<void> {
    await this.unitOfWork.run((tx, now) => this.endAllOf(tx, userId, now))
  }

  /** Ends every session and invalidates every access token of a user; returns the user's new epoch. */
  async endAllOf(tx: AccountsTransaction, userId: string, now: Date): Promise<number> {
    const epoch = await this.sessions.endAll(tx, userId, now)
    await this.revocations.record(tx, { kind: 'user', id: userId, epoch })
    return epoch
  }
}
