import { Inject, Injectable } from '@nestjs/common'
import type { LimitGrant, MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import type { EthRpcTransaction } from '../database.module.js'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { LimitGrantsRepository } from './limit-grants.repository.js'
import { type GrantedLimits, type LimitPolicy, policyOf, shownNamespaces } from './project.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { type MaxRights, ProjectsRepository } from './projects.repository.js'

/** How far owners may raise the limits of their projects: to the operator's maximum, or to what administrators granted them. */
@Injectable()
export class LimitGrantsService {
  private readonly operator: LimitPolicy

  constructor(
    @Inject(ENV) env: EthRpcEnv,
    private readonly grants: LimitGrantsRepository,
    private readonly projects: ProjectsRepository,
    private readonly transactions: ProjectTransactionsService,
  ) {
    this.operator = {
      usual: { perSecond: env.DEFAULT_PER_SECOND, perDay: env.DEFAULT_PER_DAY },
      max: { perSecond: env.MAX_PER_SECOND, perDay: env.MAX_PER_DAY },
      namespaces: [],
    }
  }

  /** What holds until the transaction ends. */
  async policyFor(tx: EthRpcTransaction, ownerId: string): Promise<LimitPolicy> {
    await this.projects.lockOwner(tx, ownerId)
    return policyOf(this.operator, await this.grants.find(ownerId, tx))
  }

  async describe(ownerId: string): Promise<MaxLimits> {
    return this.reply(await this.grants.find(ownerId))
  }

  grant(ownerId: string, { namespaces, ...limits }: LimitGrant): Promise<MaxLimits> {
    return this.transactions.run(async (tx, grantedAt) => {
      await this.projects.lockOwner(tx, ownerId)
      const before = await this.grants.find(ownerId, tx)
      const granted = { ...limits, namespaces: [...new Set(namespaces ?? before?.namespaces)], grantedAt }
      await this.grants.save(tx, ownerId, granted)
      await this.lower(tx, ownerId, granted, grantedAt)
      return this.reply(granted)
    })
  }

  revoke(ownerId: string): Promise<MaxLimits> {
    return this.transactions.run(async (tx, now) => {
      await this.projects.lockOwner(tx, ownerId)
      await this.lower(tx, ownerId, { ...this.operator.max, namespaces: [] }, now)
      await this.grants.remove(tx, ownerId)
      return this.reply(undefined)
    })
  }

  /** Nothing that was set before exceeds what may be set now: calls are held to the limits of their project alone. */
  private async lower(tx: EthRpcTransaction, ownerId: string, max: MaxRights, now: Date): Promise<void> {
    for (const project of await this.projects.lowerLimits(tx, ownerId, max, now)) await this.transactions.announce(tx, project)
  }

  private reply(granted: GrantedLimits | undefined): MaxLimits {
    const { max, namespaces } = policyOf(this.operator, granted)
    return { ...max, namespaces: shownNamespaces(namespaces), grantedAt: granted?.grantedAt.toISOString() }
  }
}
