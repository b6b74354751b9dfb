import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { serviceAccountUser } from './service-account.js'

@Injectable()
export class ServiceAccountsRepository {
  async insert(tx: AccountsTransaction, user: ReturnType<typeof serviceAccountUser>): Promise<void> {
    await tx.user.create({ data: user })
  }
}
