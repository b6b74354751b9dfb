import { Injectable } from '@nestjs/common'
import type { Permission } from '@trestle/contracts/permissions'
import type { AccountsTransaction } from '../database.module.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { type MemberRecord, type Roster, requirePermission, requireShared, seatOf } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

interface Request {
  readonly userId: string
  readonly organizationId: string
  /** What the endpoint needs; undefined where the rules of the change say it. */
  readonly permission?: Permission
}

/** An organization whose members and roles nobody else changes before the transaction ends. */
interface LockedOrganization {
  readonly tx: AccountsTransaction
  readonly now: Date
  readonly roster: Roster<MemberRecord>
  /** Who asks. */
  readonly actor: MemberRecord
}

/** Opens an organization for a member who has the permission; for anybody else it does not exist. */
@Injectable()
export class RostersService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Without a lock, for reading. */
  async read({ userId, organizationId, permission }: Request, tx?: AccountsTransaction): Promise<Omit<LockedOrganization, 'tx' | 'now'>> {
    requireShared(userId, organizationId)
    const roster = await this.organizations.readRoster(organizationId, tx)
    return { roster, actor: admitted(userId, roster, permission) }
  }

  change<T>({ userId, organizationId, permission }: Request, work: (locked: LockedOrganization) => Promise<T>): Promise<T> {
    requireShared(userId, organizationId)
    return this.unitOfWork.run(async (tx, now) => {
      const roster = await this.organizations.lockRoster(tx, organizationId)
      return work({ tx, now, roster, actor: admitted(userId, roster, permission) })
    })
  }
}

function admitted(userId: string, roster: Roster<MemberRecord>, permission: Permission | undefined): MemberRecord {
  const actor = seatOf(userId, roster)
  if (permission) requirePermission(actor, permission, roster)
  return actor
}
