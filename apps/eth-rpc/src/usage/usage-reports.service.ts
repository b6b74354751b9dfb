import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { usage } from '@trestle/contracts/eth-rpc/usage'
import { Clock } from '@trestle/runtime/clock'
import { ProjectsService } from '../projects/projects.service.js'
import { UsageRepository } from './usage.repository.js'
import { outlivedBefore, rangeOf } from './usage-range.js'

@Injectable()
export class UsageReports {
  constructor(
    private readonly projects: ProjectsService,
    private readonly repository: UsageRepository,
    private readonly clock: Clock,
  ) {}

  async list(owned: { ownerId: string; id: string }, query: Input<typeof usage.list>['query']): Promise<Reply<typeof usage.list>> {
    const range = rangeOf(query, this.clock.now())
    const serial = await this.projects.serialOf(owned)
    const rows = await this.repository.list({ serial, ...range })
    return { from: range.from.toISOString(), to: range.to.toISOString(), granularity: range.granularity, usage: rows }
  }

  async removeOutlived(): Promise<void> {
    await this.repository.removeBefore(outlivedBefore(this.clock.now()))
  }
}
