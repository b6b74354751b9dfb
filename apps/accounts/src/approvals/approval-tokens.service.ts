import { Inject, Injectable } from '@nestjs/common'
import { APPROVAL_TYPE } from '@trestle/auth/approval-claims'
import type { Approval as DescribedApproval } from '@trestle/contracts/accounts/approvals'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { SigningKeysService } from '../signing-keys/signing-keys.service.js'
import { issuerOf } from '../tokens/issuer-url.js'
import { signJwt } from '../tokens/jwt.js'
import { type ApprovalRecord, approvalClaimsOf, describeApproval } from './approval.js'
import { ApprovalsRepository } from './approvals.repository.js'

/** Gives who asked for an approval its token. */
@Injectable()
export class ApprovalTokensService {
  readonly #issuer: string

  constructor(
    private readonly keys: SigningKeysService,
    private readonly approvals: ApprovalsRepository,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#issuer = issuerOf(env)
  }

  /** The approval as one member sees it: with its token for who asked for it, once it is approved. */
  async describe(
    tx: AccountsTransaction,
    record: ApprovalRecord,
    { userId, now }: { userId: string; now: Date },
  ): Promise<DescribedApproval> {
    const claims = record.requestedBy === userId ? approvalClaimsOf(record, this.#issuer, now) : undefined
    if (!claims) return describeApproval(record, now)
    await this.approvals.collect(tx, record.id, now)
    return describeApproval(record, now, signJwt(claims, APPROVAL_TYPE, await this.keys.active('account')))
  }
}
