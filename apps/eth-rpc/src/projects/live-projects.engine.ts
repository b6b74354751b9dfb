import { Injectable } from '@nestjs/common'
import { LiveRows } from '@trestle/database/live-rows'
import { Clock } from '@trestle/runtime/clock'
import { UsageService } from '@trestle/usage/usage.service'
import { unavailable } from '../framing/rpc-error.js'
import { LimitsService } from '../limits/limits.service.js'
import type { CallSum, ProjectMeter } from '../usage/project-usage.js'
import { compiled, type LiveProject } from './live-project.js'
import { idsOf, type StoredProject } from './project.js'
import { ProjectsRepository, type ProjectWithSpending } from './projects.repository.js'

const REFUSALS = {
  busy: 'too many projects are looked up at the moment',
  unavailable: 'projects cannot be looked up at the moment',
} as const

/** The projects that this process serves. Changes are announced by serial number, which an unknown id does not have. */
@Injectable()
export class LiveProjects extends LiveRows<ProjectWithSpending, LiveProject, number> {
  constructor(projects: ProjectsRepository, usage: UsageService<number, CallSum>, limits: LimitsService, clock: Clock) {
    super({
      clock,
      id: /^[0-9a-f]{32}$/,
      async list(ids) {
        const rows = await projects.listByIds(ids)
        for (const { project, spentToday } of rows) limits.learnSpent(project, spentToday)
        return rows
      },
      idsOf: ({ project }) => idsOf(project),
      versionOf: ({ project, isOwnerDisabled }) => `${project.version}${isOwnerDisabled ? ' of a disabled owner' : ''}`,
      make: ({ project, isOwnerDisabled }) => compiled(project, isOwnerDisabled, meterOf(project, usage)),
      keyOf: (_, row) => row?.project.serial,
      missingMs: 5_000,
      idleMs: 3_600_000,
      refuse: (reason) => unavailable(REFUSALS[reason]),
    })
  }
}

/** Of the credential only its end is recorded. */
function meterOf({ serial, id, ownerId, organizationId }: StoredProject, usage: UsageService<number, CallSum>): ProjectMeter {
  return usage.meterOf({ of: serial, ownerId, organizationId, params: { projectId: `...${id.slice(-4)}` } })
}
