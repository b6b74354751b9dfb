import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { KeyEndingsRepository } from './key-endings.repository.js'

/** Ends the keys of what ends. */
@Injectable()
export class KeyEndingsService {
  constructor(private readonly keys: KeyEndingsRepository) {}

  /** All keys of an organization, or of one of its service accounts. Their tokens end with the memberships. */
  endAll(tx: AccountsTransaction, of: { organizationId: string; userId?: string }, now: Date): Promise<void> {
    return this.keys.deleteAll(tx, of, now)
  }
}
