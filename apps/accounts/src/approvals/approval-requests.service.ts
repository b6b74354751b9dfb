import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type Approval as DescribedApproval, approvals as endpoints, type NewApproval } from '@trestle/contracts/accounts/approvals'
import type { Caller } from '@trestle/contracts/caller'
import { parseInput } from '@trestle/runtime/parse-input'
import { requirePermission } from '../organizations/organization.js'
import { peopleWith, tooFewApprovers } from '../organizations/policy.js'
import { RostersService } from '../organizations/rosters.service.js'
import { isSameRequest, newApproval, pendingSince, requireApprovable, requireRoomForApproval } from './approval.js'
import { ApprovalMailsService } from './approval-mails.service.js'
import { ApprovalTokensService } from './approval-tokens.service.js'
import { ApprovalsRepository } from './approvals.repository.js'

/** What a second person is asked to approve. */
@Injectable()
export class ApprovalRequestsService {
  constructor(
    private readonly rosters: RostersService,
    private readonly approvals: ApprovalsRepository,
    private readonly tokens: ApprovalTokensService,
    private readonly mails: ApprovalMailsService,
  ) {}

  /** Of the same request, the one that waits already, or is approved and was not collected. */
  async request(caller: Caller, organizationId: string, sent: NewApproval): Promise<DescribedApproval> {
    const { userId } = caller
    const opened = { caller, organizationId, endpoint: endpoints.request }
    await this.mails.spendBudget(userId)
    const approvers = await this.check(opened, sent)
    const mailed = await this.mails.within(approvers)
    return this.rosters.change(opened, async ({ tx, now, policy }) => {
      const { permission } = requireApprovable(sent, organizationId, policy.approvals)
      const asked = newApproval(`approval-${randomUUID()}`, { organizationId, requestedBy: userId, permission, sent }, now)
      const open = await this.approvals.listOpen(tx, organizationId, pendingSince(now))
      const same = open.find((record) => isSameRequest(record, asked, now))
      if (same) return this.tokens.describe(tx, same, { userId, now })
      requireRoomForApproval(open, userId, now)
      await this.approvals.insert(tx, asked)
      await this.mails.requested(tx, mailed, now)
      return this.tokens.describe(tx, asked, { userId, now })
    })
  }

  /** Who could approve it. */
  private async check(opened: Parameters<RostersService['read']>[0], sent: NewApproval): Promise<string[]> {
    const { roster, actor, policy } = await this.rosters.read(opened)
    const { endpoint, permission, params, query } = requireApprovable(sent, opened.organizationId, policy.approvals)
    if (typeof endpoint.access === 'object') requirePermission(actor, endpoint.access.permission, roster)
    // What its service would refuse nobody needs to approve.
    parseInput({ params, query, body: sent.body, headers: {}, formProblem: undefined, routeOptions: { config: { endpoint } } })
    const approvers = peopleWith(permission, roster).filter((userId) => userId !== actor.userId)
    if (approvers.length === 0) throw tooFewApprovers(permission)
    return approvers
  }
}
