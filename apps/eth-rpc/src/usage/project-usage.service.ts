import { Injectable } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { projectUsage } from '@trestle/contracts/eth-rpc/usage'
import { UsageService } from '@trestle/usage/usage.service'
import { ProjectsService } from '../projects/projects.service.js'
import { type CallSum, latencyOf } from './project-usage.js'

const MAX_DAYS = { hour: 7, day: 100 } as const

@Injectable()
export class ProjectUsageService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly usage: UsageService<number, CallSum>,
  ) {}

  async list(
    owned: { organizationId: string; id: string },
    query: Input<typeof projectUsage.list>['query'],
  ): Promise<Reply<typeof projectUsage.list>> {
    const { granularity } = query
    const serial = await this.projects.serialOf(owned)
    const report = await this.usage.report(serial, query, { granularity, maxDays: MAX_DAYS[granularity] })
    return { ...report, granularity, usage: report.usage.map((row) => ({ ...row, latency: latencyOf(row.latency) })) }
  }
}
