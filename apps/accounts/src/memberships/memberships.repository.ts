import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { AccountsTransaction } from '../database.module.js'
import type { MembershipPosition, MembershipRecord } from './membership.js'

const COLUMNS = `m.user_id AS "userId", m.organization_id AS "organizationId", m.roles, m.version, m.changed_at AS "changedAt",
  ARRAY(SELECT DISTINCT permission FROM role r, unnest(r.permissions) permission
         WHERE r.organization_id = m.organization_id AND r.name = ANY(m.roles)) AS "ownPermissions",
  (SELECT json_build_object('requireSecondFactor', o.require_second_factor, 'approvals', o.approvals)
     FROM organization o WHERE o.id = m.organization_id) AS policy`

type Row = Omit<MembershipRecord, 'version'> & { readonly version: bigint | string }

interface NewMembership {
  readonly userId: string
  readonly organizationId: string
  readonly roles: readonly string[]
}

/** Every change raises the version, which is a time: what is changed after a backup was restored is newer than anything from before. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly pool: Pool) {}

  /** Oldest change first, by the database's clock. SQL: every replica reads this each second, and the position is a row comparison. */
  async list(after: MembershipPosition, limit: number): Promise<{ asOf: Date; rows: MembershipRecord[] }> {
    const {
      rows: [clock],
    } = await this.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    const { rows } = await this.pool.query<Row>({
      name: 'list_memberships',
      text: `SELECT ${COLUMNS} FROM member m
              WHERE (changed_at, user_id, organization_id) > ($1, $2, $3) ORDER BY changed_at, user_id, organization_id LIMIT $4`,
      values: [after.changedAt, after.userId, after.organizationId, limit],
    })
    return { asOf: clock?.now ?? new Date(0), rows: rows.map(fromRow) }
  }

  /** Undefined for who is a member already. */
  async add(tx: AccountsTransaction, { userId, organizationId, roles }: NewMembership, now: Date): Promise<MembershipRecord | undefined> {
    const [row] = await tx.$queryRawUnsafe<Row[]>(
      `INSERT INTO member AS m (user_id, organization_id, roles, joined_at, version) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id, organization_id) DO UPDATE
         SET roles = excluded.roles, joined_at = excluded.joined_at, version = greatest(m.version + 1, excluded.version),
             changed_at = clock_timestamp()
       WHERE m.roles = '{}' RETURNING ${COLUMNS}`,
      userId,
      organizationId,
      [...roles],
      now,
      now.getTime(),
    )
    return row && fromRow(row)
  }

  /** Gives a member other roles; none: the membership ends. */
  async updateRoles(tx: AccountsTransaction, { userId, organizationId, roles }: NewMembership, now: Date): Promise<MembershipRecord[]> {
    const rows = await tx.$queryRawUnsafe<Row[]>(
      `UPDATE member m SET roles = $3, version = greatest(m.version + 1, $4), changed_at = clock_timestamp()
        WHERE user_id = $1 AND organization_id = $2 RETURNING ${COLUMNS}`,
      userId,
      organizationId,
      [...roles],
      now.getTime(),
    )
    return rows.map(fromRow)
  }

  /** After a role was changed: everybody who has it. After the policy of an organization was: every member. */
  async raiseVersions(tx: AccountsTransaction, of: { organizationId: string; name?: string }, now: Date): Promise<MembershipRecord[]> {
    const rows = await tx.$queryRawUnsafe<Row[]>(
      `UPDATE member m SET version = greatest(m.version + 1, $3), changed_at = clock_timestamp()
        WHERE organization_id = $1 AND coalesce($2 = ANY(m.roles), m.roles <> '{}') RETURNING ${COLUMNS}`,
      of.organizationId,
      of.name ?? null,
      now.getTime(),
    )
    return rows.map(fromRow)
  }

  /** Until the transaction ends, nobody adds another membership of the user, nor closes the account. Returns whether the user is active. */
  async lockUser(tx: AccountsTransaction, userId: string): Promise<boolean> {
    const active = await tx.$executeRaw`SELECT 1 FROM "user" WHERE id = ${userId} AND disabled_at IS NULL FOR NO KEY UPDATE`
    return active === 1
  }

  /** In how many organizations a user is. */
  async countOf(tx: AccountsTransaction, userId: string): Promise<number> {
    return tx.member.count({ where: { userId, NOT: { roles: { isEmpty: true } } } })
  }
}

function fromRow({ version, ...row }: Row): MembershipRecord {
  return { ...row, version: Number(version) }
}
