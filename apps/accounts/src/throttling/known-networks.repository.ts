import { Injectable } from '@nestjs/common'
import { AccountsDatabase } from '../database.module.js'

@Injectable()
export class KnownNetworksRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async exists(key: Uint8Array<ArrayBuffer>, since: Date): Promise<boolean> {
    return (await this.database.knownNetwork.count({ where: { key, lastSeenAt: { gte: since } } })) === 1
  }

  async save(key: Uint8Array<ArrayBuffer>, lastSeenAt: Date): Promise<void> {
    await this.database.knownNetwork.upsert({ where: { key }, create: { key, lastSeenAt }, update: { lastSeenAt } })
  }
}
