import { Injectable } from '@nestjs/common'
import type { organizationDissolved } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { OwnersRepository, type ReportedOwner } from './owners.repository.js'
import { ProjectTransactionsService } from './project-transactions.service.js'

/** Which owners are disabled: their projects refuse every call. */
@Injectable()
export class OwnersService {
  constructor(
    private readonly owners: OwnersRepository,
    private readonly transactions: ProjectTransactionsService,
  ) {}

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
  async inherit(dissolved: readonly PayloadOf<typeof organizationDissolved>[]): Promise<void> {
    await this.transactions.run(async (tx, now) => {
      for (const { organizationId, heirId } of dissolved)
        for (const project of await this.owners.transferAll(tx, { from: organizationId, to: heirId }, now))
          await this.transactions.announce(tx, project)
    })
  }
}
