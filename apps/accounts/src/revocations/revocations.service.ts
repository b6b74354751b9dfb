import { Injectable } from '@nestjs/common'
import { type listRevocations, type Revocation, revocationRecorded } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { Outbox } from '@trestle/messaging/outbox'
import type { AccountsTransaction } from '../database.module.js'
import { SigningKeysService } from '../signing-keys/signing-keys.service.js'
import { encodePosition, startPosition } from './revocation.js'
import { RevocationsRepository } from './revocations.repository.js'

const PAGE_SIZE = 5000

/** Invalidates tokens before they expire: whoever raises an epoch records it here, in the same transaction. */
@Injectable()
export class RevocationsService {
  constructor(
    private readonly revocations: RevocationsRepository,
    private readonly outbox: Outbox,
    private readonly keys: SigningKeysService,
  ) {}

  /** Invalidates the tokens with a lower epoch, once the transaction is committed. */
  async record(tx: AccountsTransaction, revocation: Revocation): Promise<void> {
    await this.revocations.upsert(tx, revocation)
    await this.outbox.add(tx, revocationRecorded, revocation)
  }

  /** What was recorded since the last reply, with some overlap. */
  async list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    const [{ asOf, rows }, compromisedKeys] = await Promise.all([
      this.revocations.list(startPosition(request), PAGE_SIZE),
      this.keys.compromised(),
    ])
    const last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined
    return {
      asOf: asOf.toISOString(),
      revocations: rows.map(({ kind, id, epoch }) => ({ kind, id, epoch })),
      compromisedKeys,
      next: last && encodePosition(last),
    }
  }
}
