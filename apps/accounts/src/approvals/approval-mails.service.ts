import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { NoticesService } from '../notices/notices.service.js'
import { ThrottlingService } from '../throttling/throttling.service.js'

const MAX_MAILS = 10

/** Mails about what waits for an approval: few people, and each at most some a day. */
@Injectable()
export class ApprovalMailsService {
  constructor(
    private readonly notices: NoticesService,
    private readonly throttling: ThrottlingService,
  ) {}

  /** Problem `TooManyRequests` for who asks too often. */
  spendBudget(userId: string): Promise<void> {
    return this.throttling.spend({ approvalsByUser: userId })
  }

  /** Those of some people who may get another mail. */
  async within(userIds: readonly string[]): Promise<string[]> {
    const mailed: string[] = []
    for (const userId of userIds.slice(0, MAX_MAILS))
      if (await this.throttling.trySpend({ approvalMailsToUser: userId })) mailed.push(userId)
    return mailed
  }

  async requested(tx: AccountsTransaction, userIds: readonly string[], at: Date): Promise<void> {
    for (const userId of userIds) await this.notices.send(tx, userId, { kind: 'approval-requested', at })
  }

  /** One for each that was asked for, which has a budget. */
  async decided(tx: AccountsTransaction, userId: string, { decision, at }: { decision: 'approved' | 'refused'; at: Date }): Promise<void> {
    await this.notices.send(tx, userId, { kind: 'approval-decided', decision, at })
  }
}
