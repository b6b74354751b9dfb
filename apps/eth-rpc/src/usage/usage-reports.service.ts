import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { usage } from '@trestle/contracts/eth-rpc/usage'
import { Clock } from '@trestle/runtime/clock'
import { outlivedBefore, rangeOf } from '@trestle/usage/usage-range'
import { ProjectsService } from '../projects/projects.service.js'
import { UsageRepository } from './usage.repository.js'

const MAX_DAYS = { hour: 7, day: 100 } as const

@Injectable()
export class UsageReports {
  constructor(
    private readonly projects: ProjectsService,
    private readonly repository: UsageRepository,
    private readonly clock: Clock,
  ) {}

  async list(owned: { ownerId: string; id: string }, query: Input<typeof usage.list>['query']): Promise<Reply<typeof usage.list>> {
    const { granularity } = query
    const { from, to } = rangeOf(query, this.clock.now(), { granularity, maxDays: MAX_DAYS[granularity] })
    const serial = await this.projects.serialOf(owned)
    const rows = await this.repository.list({ serial, from, to, granularity })
    return { from: from.toISOString(), to: to.toISOString(), granularity, usage: rows }
  }

  async removeOutlived(): Promise<void> {
    await this.repository.removeBefore(outlivedBefore(this.clock.now()))
  }
}
