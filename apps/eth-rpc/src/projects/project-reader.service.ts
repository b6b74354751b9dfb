import { Injectable } from '@nestjs/common'
import { UsageService } from '@trestle/usage/usage.service'
import { Limits } from '../limits/limits.service.js'
import type { CallSum } from '../usage/usage-kind.js'
import { compiled, type LiveProject } from './live-project.js'
import { LiveProjectsRepository } from './live-projects.repository.js'
import type { Project } from './project.js'

/** What an id leads to. */
export interface Found {
  readonly project: LiveProject
  readonly version: number
  /** When the id ends, if it is one from before a rotation, in epoch milliseconds. */
  readonly until: number
}

/** Reads projects as calls are held against them, and what they have spent today. */
@Injectable()
export class ProjectReader {
  constructor(
    private readonly projects: LiveProjectsRepository,
    private readonly usage: UsageService<number, CallSum>,
    private readonly limits: Limits,
  ) {}

  /** By id. A project that is held in the version it has is not made again: so one that is held stays the same object. */
  async read(ids: readonly string[], held: (id: string) => Found | undefined): Promise<Map<string, Found>> {
    const found = new Map<string, Found>()
    for (const { project, spentToday } of await this.projects.listByIds(ids)) {
      this.limits.learn(project, spentToday)
      for (const { id, until } of idsOf(project)) {
        const known = held(id)
        found.set(id, known?.version === project.version ? known : this.make(project, until))
      }
    }
    return found
  }

  private make(project: Project, until: number): Found {
    const { serial, id, ownerId, version } = project
    // Of the credential only its end is recorded.
    const meter = this.usage.meterOf({ of: serial, ownerId, params: { projectId: `...${id.slice(-4)}` } })
    return { project: compiled(project, meter), version, until }
  }
}

function idsOf({ id, former }: Project): { id: string; until: number }[] {
  const current = { id, until: Number.POSITIVE_INFINITY }
  return former ? [current, { id: former.id, until: former.until.getTime() }] : [current]
}
