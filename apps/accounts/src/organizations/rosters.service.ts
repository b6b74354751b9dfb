import { Injectable } from '@nestjs/common'
import { requireFactorFor } from '@trestle/auth/step-up'
import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import type { Caller } from '@trestle/contracts/caller'
import { approvalOf, type EndpointSpec, type PermittedAccess } from '@trestle/contracts/endpoint'
import { ApprovalUseService } from '../approvals/approval-use.service.js'
import type { AccountsTransaction } from '../database.module.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { type MemberRecord, type Roster, requirePermission, requireShared, seatOf } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { peopleWith } from './policy.js'

interface Request {
  readonly caller: Caller
  readonly organizationId: string
  /** Whose permission the caller needs; undefined where the rules of the change say it. */
  readonly endpoint?: EndpointSpec & { readonly access: PermittedAccess }
}

/** An organization whose members and roles nobody else changes before the transaction ends. */
interface LockedOrganization {
  readonly tx: AccountsTransaction
  readonly now: Date
  readonly roster: Roster<MemberRecord>
  /** Who asks. */
  readonly actor: MemberRecord
  readonly policy: OrganizationPolicy
}

/** Opens an organization for a member who has the permission; for anybody else it does not exist. */
@Injectable()
export class RostersService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly approvals: ApprovalUseService,
  ) {}

  /** Without a lock, for reading. */
  async read(request: Request, tx?: AccountsTransaction): Promise<Omit<LockedOrganization, 'tx' | 'now'>> {
    const { caller, organizationId } = request
    requireShared(caller.userId, organizationId)
    return this.admit(request, await this.organizations.readRoster(organizationId, tx), tx)
  }

  /** For a caller whom the guard of all endpoints has admitted to the organization. */
  async readAdmitted({ userId, organizationId }: { userId: string; organizationId: string }, tx?: AccountsTransaction) {
    requireShared(userId, organizationId)
    const roster = await this.organizations.readRoster(organizationId, tx)
    return { roster, actor: seatOf(userId, roster) }
  }

  change<T>(request: Request, work: (locked: LockedOrganization) => Promise<T>): Promise<T> {
    const { caller, organizationId } = request
    requireShared(caller.userId, organizationId)
    return this.unitOfWork.runAudited(async (tx, now) => {
      const roster = await this.organizations.lockRoster(tx, organizationId)
      const admitted = await this.admit(request, roster, tx)
      await this.useApproval(tx, request, { ...admitted, now })
      return work({ tx, now, ...admitted })
    })
  }

  /** Where the organization demands that a second person approves it. */
  private async useApproval(tx: AccountsTransaction, request: Request, { roster, policy, now }: Omit<LockedOrganization, 'tx' | 'actor'>) {
    const { caller, organizationId, endpoint } = request
    const permission = endpoint && approvalOf(endpoint)
    if (!permission || !policy.approvals.includes(permission)) return
    const mayApprove = (userId: string) => userId !== caller.userId && peopleWith(permission, roster).includes(userId)
    await this.approvals.use(tx, { caller, organizationId, permission, mayApprove }, now)
  }

  private async admit({ caller, organizationId, endpoint }: Request, roster: Roster<MemberRecord>, tx?: AccountsTransaction) {
    const actor = seatOf(caller.userId, roster)
    const policy = await this.organizations.readPolicy(organizationId, tx)
    requireFactorFor(caller, policy)
    if (endpoint) requirePermission(actor, endpoint.access.permission, roster)
    return { roster, actor, policy }
  }
}
