import { Injectable } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { OwnersRepository, type ReportedOwner } from './owners.repository.js'
import { ProjectTransactionsService } from './project-transactions.service.js'

/** Which owners are disabled: their projects refuse every call. */
@Injectable()
export class OwnersService {
  constructor(
    private readonly owners: OwnersRepository,
    private readonly transactions: ProjectTransactionsService,
  ) {}

  /** Of users whose accounts were deleted. Their usage stays, under serial numbers. */
  async removeProjects(userIds: readonly string[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const userId of userIds)
        for (const project of await this.owners.removeAll(tx, personalOrganizationOf(userId))) await this.transactions.announce(tx, project)
    })
  }

  countProjects(organizationIds: readonly string[]): Promise<number> {
    return this.owners.countProjects(organizationIds)
  }

  /** Reports arrive in any order and may be repeated. */
  async learn(reported: readonly ReportedOwner[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const status of reported) {
        if (!(await this.owners.save(tx, status))) continue
        for (const project of await this.owners.projectsOf(tx, status.userId)) await this.transactions.announce(tx, project)
      }
    })
  }

  /** What a dissolved organization owned belongs to its heir, also beyond the limit: nothing is lost. */
  async inherit(dissolutions: readonly Dissolution[]): Promise<void> {
    for (const dissolution of dissolutions)
      await this.transactions.run(async (tx, now) => {
        for (const project of await this.owners.inherit(tx, dissolution, now)) await this.transactions.announce(tx, project)
      })
  }
}
