import { Injectable } from '@nestjs/common'
import { SessionClient } from '@trestle/contracts/accounts/sessions'
import { Pool } from 'pg'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { Prisma, type Session as SessionRow } from '../generated/prisma/client.js'
import type { SessionRecord } from './session.js'
import { type SessionUse, USE_PRECISION_MS } from './session-use.js'

const MAX_LISTED = 200

// SKIP LOCKED: replicas that save the uses of the same sessions do not wait for each other.
const SAVE_USES = `
  UPDATE session SET used_at = use.at FROM unnest($1::text[], $2::timestamptz[]) AS use (id, at)
   WHERE session.id = use.id AND session.id IN (
     SELECT s.id FROM session s JOIN unnest($1::text[], $2::timestamptz[]) AS used (id, at) USING (id)
      WHERE s.used_at <= used.at - make_interval(secs => $3) FOR UPDATE OF s SKIP LOCKED)`

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: AccountsDatabase,
    private readonly pool: Pool,
  ) {}

  /** The open sessions of a user, newest first. */
  async list(userId: string, now: Date): Promise<SessionRecord[]> {
    const where = { userId, endedAt: null, expiresAt: { gt: now } }
    const rows = await this.database.session.findMany({ where, orderBy: { createdAt: 'desc' }, take: MAX_LISTED })
    return rows.map(fromRow)
  }

  /** False where its identity was unlinked. */
  async insert(tx: AccountsTransaction, session: SessionRecord): Promise<boolean> {
    try {
      await tx.session.create({ data: session })
      return true
    } catch (error) {
      if (session.identityId && error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003') return false
      throw error
    }
  }

  async findOpen(
    { id, userId }: Pick<SessionRecord, 'id' | 'userId'>,
    now: Date,
    tx: AccountsTransaction = this.database,
  ): Promise<SessionRecord | undefined> {
    const row = await tx.session.findFirst({ where: { id, userId, endedAt: null, expiresAt: { gt: now } } })
    return row ? fromRow(row) : undefined
  }

  async updateAuthenticated(tx: AccountsTransaction, where: Pick<SessionRecord, 'id' | 'userId'>, authenticatedAt: Date): Promise<void> {
    await tx.session.updateMany({ where, data: { authenticatedAt } })
  }

  /** Ends one session; returns whether the user had it open. */
  async end(tx: AccountsTransaction, { id, userId }: Pick<SessionRecord, 'id' | 'userId'>, endedAt: Date): Promise<boolean> {
    const { count } = await tx.session.updateMany({ where: { id, userId, endedAt: null, expiresAt: { gt: endedAt } }, data: { endedAt } })
    return count === 1
  }

  /** Saves later uses than those that are known; a session that another transaction holds is left to the next use. */
  async saveUses(uses: readonly SessionUse[]): Promise<void> {
    await this.pool.query(SAVE_USES, [uses.map(({ id }) => id), uses.map(({ at }) => at), USE_PRECISION_MS / 1000])
  }

  /** Ends some of the sessions that were last used before; returns their ids. */
  async endUnused(tx: AccountsTransaction, usedBefore: Date, { endedAt, limit }: { endedAt: Date; limit: number }): Promise<string[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      UPDATE session SET ended_at = ${endedAt} WHERE id IN (
        SELECT id FROM session WHERE ended_at IS NULL AND expires_at > ${endedAt} AND used_at < ${usedBefore}
         ORDER BY used_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id`
    return rows.map(({ id }) => id)
  }

  /** Ends every session of a user; returns the user's new epoch, which invalidates their tokens. */
  async endAll(tx: AccountsTransaction, userId: string, endedAt: Date): Promise<number> {
    const { epoch } = await tx.user.update({ where: { id: userId }, data: { epoch: { increment: 1 } }, select: { epoch: true } })
    await tx.session.updateMany({ where: { userId, endedAt: null }, data: { endedAt } })
    return epoch
  }
}

function fromRow({ provider, identityId, authenticatedAt, client, ...row }: SessionRow): SessionRecord {
  const through = { provider: provider ?? undefined, identityId: identityId ?? undefined, authenticatedAt: authenticatedAt ?? undefined }
  return { ...row, ...through, client: SessionClient.optional().parse(client ?? undefined) }
}
