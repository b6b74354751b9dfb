import { Injectable } from '@nestjs/common'
import { type listRevocations, type Revocation, revocationRecorded } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { Outbox } from '@trestle/messaging/outbox'
import type { Transaction } from '../database.module.js'
import { encodePosition, startOf } from './revocation.js'
import { RevocationsRepository } from './revocations.repository.js'

const PAGE = 5000

/** Ends tokens before their time: whoever raises an epoch records it here, in the same transaction. */
@Injectable()
export class RevocationsService {
  constructor(
    private readonly revocations: RevocationsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Kills the tokens with an older epoch, once the transaction is committed. */
  async record(tx: Transaction, revocation: Revocation): Promise<void> {
    await this.revocations.record(tx, revocation)
    await this.outbox.add(tx, revocationRecorded, revocation)
  }

  /** What was recorded since the last answer, and a little before. */
  async list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    const { asOf, rows } = await this.revocations.list(startOf(request), PAGE)
    const last = rows.length === PAGE ? rows.at(-1) : undefined
    return {
      asOf: asOf.toISOString(),
      revocations: rows.map(({ kind, id, epoch }) => ({ kind, id, epoch })),
      next: last && encodePosition(last),
    }
  }
}
