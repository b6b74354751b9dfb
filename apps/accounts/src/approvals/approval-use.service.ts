import { Injectable } from '@nestjs/common'
import { approvalRequired, approvalUsed, invalidApproval } from '@trestle/auth/auth-problems'
import type { Caller } from '@trestle/contracts/caller'
import type { Permission } from '@trestle/contracts/permissions'
import type { AccountsTransaction } from '../database.module.js'
import { ApprovalsRepository } from './approvals.repository.js'

interface Need {
  readonly caller: Caller
  readonly organizationId: string
  readonly permission: Permission
  /** Whether a user is a person who has the permission there. */
  readonly mayApprove: (userId: string) => boolean
}

/** Uses approvals of what is done in this area: in the transaction that does it, so once over all replicas, and not at all where it fails. */
@Injectable()
export class ApprovalUseService {
  constructor(private readonly approvals: ApprovalsRepository) {}

  /** The guard has verified the approval; whom it is from is checked here, under the lock. */
  async use(tx: AccountsTransaction, { caller, organizationId, permission, mayApprove }: Need, now: Date): Promise<void> {
    const { approval } = caller
    if (!approval) throw approvalRequired(organizationId, permission)
    if (approval.organizationId !== organizationId || approval.permission !== permission)
      throw invalidApproval('it is for another organization')
    if (!mayApprove(approval.approverId)) throw invalidApproval('whoever approved may no longer do so')
    if (!(await this.approvals.use(tx, approval.id, now))) throw approvalUsed()
  }
}
