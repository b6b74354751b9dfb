import { Injectable } from '@nestjs/common'
import { type Approval as DescribedApproval, approvals as endpoints } from '@trestle/contracts/accounts/approvals'
import type { Caller } from '@trestle/contracts/caller'
import { requirePermission } from '../organizations/organization.js'
import { RostersService } from '../organizations/rosters.service.js'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { checkDecision, type Decision, describeApproval, pendingSince, unknownApproval } from './approval.js'
import { ApprovalMailsService } from './approval-mails.service.js'
import { ApprovalTokensService } from './approval-tokens.service.js'
import { ApprovalsRepository } from './approvals.repository.js'

interface Query {
  readonly limit: number
  readonly cursor?: string
  readonly state?: 'pending'
}

/** What second persons are asked to approve, and what they decide. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly rosters: RostersService,
    private readonly approvals: ApprovalsRepository,
    private readonly tokens: ApprovalTokensService,
    private readonly mails: ApprovalMailsService,
  ) {}

  /** Newest first, without tokens. */
  list(
    caller: Caller,
    organizationId: string,
    { limit, cursor, state }: Query,
  ): Promise<{ approvals: DescribedApproval[]; next?: string }> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'approval')
    return this.rosters.change({ caller, organizationId, endpoint: endpoints.list }, async ({ tx, now }) => {
      const listing = { limit, after, pendingSince: state && pendingSince(now) }
      const records = await this.approvals.list(tx, organizationId, listing)
      const last = records.length === limit ? records.at(-1) : undefined
      return { approvals: records.map((record) => describeApproval(record, now)), next: last && encodeCursor(last) }
    })
  }

  get(caller: Caller, organizationId: string, id: string): Promise<DescribedApproval> {
    return this.rosters.change({ caller, organizationId, endpoint: endpoints.get }, async ({ tx, now }) => {
      const record = await this.approvals.find(tx, organizationId, id)
      if (!record) throw unknownApproval()
      return this.tokens.describe(tx, record, { userId: caller.userId, now })
    })
  }

  async decide(caller: Caller, organizationId: string, { id, decision }: { id: string; decision: Decision }): Promise<DescribedApproval> {
    const { userId: decidedBy } = caller
    return this.rosters.change({ caller, organizationId, endpoint: endpoints.decide }, async ({ tx, now, roster, actor }) => {
      const record = await this.approvals.find(tx, organizationId, id)
      if (!record) throw unknownApproval()
      if (record.requestedBy !== decidedBy) requirePermission(actor, record.permission, roster)
      checkDecision(record, decidedBy, { decision, now })
      const decided = { decision, decidedBy, decidedAt: now, deciderEpoch: await this.approvals.epochOf(tx, decidedBy) }
      await this.approvals.decide(tx, id, decided)
      if (record.requestedBy !== decidedBy) await this.mails.decided(tx, record.requestedBy, { decision, at: now })
      return describeApproval({ ...record, decided }, now)
    })
  }
}
