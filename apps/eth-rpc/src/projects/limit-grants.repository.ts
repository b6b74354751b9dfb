import { Injectable } from '@nestjs/common'
import { EthRpcDatabase, type EthRpcTransaction } from '../database.module.js'
import type { GrantedLimits } from './project.js'

@Injectable()
export class LimitGrantsRepository {
  constructor(private readonly database: EthRpcDatabase) {}

  async find(ownerId: string, tx: Pick<EthRpcTransaction, 'limitGrant'> = this.database): Promise<GrantedLimits | undefined> {
    const row = await tx.limitGrant.findUnique({ where: { ownerId } })
    return row ? { perSecond: row.perSecond, perDay: Number(row.perDay), namespaces: row.namespaces, grantedAt: row.grantedAt } : undefined
  }

  async save(tx: EthRpcTransaction, ownerId: string, { perSecond, perDay, namespaces, grantedAt }: GrantedLimits): Promise<void> {
    const limits = { perSecond, perDay: BigInt(perDay), namespaces: [...namespaces], grantedAt }
    await tx.limitGrant.upsert({ where: { ownerId }, create: { ownerId, ...limits }, update: limits })
  }

  async remove(tx: EthRpcTransaction, ownerId: string): Promise<void> {
    await tx.limitGrant.deleteMany({ where: { ownerId } })
  }
}
