import { Injectable } from '@nestjs/common'
import { LiveRows } from '@trestle/database/live-rows'
import { Clock } from '@trestle/runtime/clock'
import { unavailable } from '../framing/rpc-error.js'
import { LimitsService } from '../limits/limits.service.js'
import { compiled, type LiveProject } from './live-project.js'
import { idsOf } from './project.js'
import { ProjectPartsService } from './project-parts.service.js'
import { ProjectsRepository, type ProjectWithSpending } from './projects.repository.js'

const REFUSALS = {
  busy: 'too many projects are looked up at the moment',
  unavailable: 'projects cannot be looked up at the moment',
} as const

/** The projects that this process serves. Changes are announced by serial number, which an unknown id does not have. */
@Injectable()
export class LiveProjects extends LiveRows<ProjectWithSpending, LiveProject, number> {
  constructor(projects: ProjectsRepository, parts: ProjectPartsService, limits: LimitsService, clock: Clock) {
    super({
      clock,
      id: /^[0-9a-f]{32}$/,
      async list(ids) {
        const rows = await projects.listByIds(ids)
        for (const { project, spentToday } of rows) limits.learnSpent(project, spentToday)
        return rows
      },
      idsOf: ({ project, key }) => (key ? [{ id: key.id, until: key.expiresAt?.getTime() }] : idsOf(project)),
      versionOf: ({ project, isOwnerDisabled, key }) =>
        `${project.version}${isOwnerDisabled ? ' of a disabled owner' : ''}${key ? ` by key ${key.version}` : ''}`,
      make: ({ project, isOwnerDisabled, key }) => compiled(project, isOwnerDisabled, parts.of(project, key)),
      keyOf: (_, row) => row?.project.serial,
      missingMs: 5_000,
      idleMs: 3_600_000,
      refuse: (reason) => unavailable(REFUSALS[reason]),
    })
  }
}
