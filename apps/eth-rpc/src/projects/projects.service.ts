import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { NewProject, ProjectChange, Project as ProjectReply } from '@trestle/contracts/eth-rpc/projects'
import { Clock } from '@trestle/runtime/clock'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { changedProject, describeProject, type LimitPolicy, newProject, rotatedProject, type StoredProject } from './project.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { type ProjectOwnership, ProjectsRepository } from './projects.repository.js'

@Injectable()
export class ProjectsService {
  private readonly policy: LimitPolicy
  private readonly place: { chain: string; baseUrl: string }

  constructor(
    @Inject(ENV) env: EthRpcEnv,
    private readonly projects: ProjectsRepository,
    private readonly transactions: ProjectTransactionsService,
    private readonly clock: Clock,
  ) {
    this.policy = limitPolicy(env)
    this.place = { chain: env.CHAIN, baseUrl: env.PUBLIC_URL + env.BASE_PATH }
  }

  async create(ownerId: string, given: NewProject): Promise<ProjectReply> {
    const id = newId()
    const project = await this.transactions.run(async (tx, now) => {
      const counts = await this.projects.count(tx, ownerId, now)
      return this.projects.add(tx, newProject({ id, ownerId, ...counts }, given, this.policy, now), counts)
    })
    return this.describe(project)
  }

  async list(ownerId: string): Promise<ProjectReply[]> {
    const projects = await this.projects.list(ownerId)
    return projects.map((project) => this.describe(project))
  }

  async get(owned: ProjectOwnership): Promise<ProjectReply> {
    return this.describe(await this.projects.get(owned))
  }

  /** Of a project of the caller's. */
  async serialOf(owned: ProjectOwnership): Promise<number> {
    const { serial } = await this.projects.get(owned)
    return serial
  }

  change(owned: ProjectOwnership, change: ProjectChange): Promise<ProjectReply> {
    return this.update(owned, (project, now) => changedProject(project, change, this.policy, now))
  }

  rotate(owned: ProjectOwnership, { graceSeconds } = { graceSeconds: 0 }): Promise<ProjectReply> {
    return this.update(owned, (project, now) => rotatedProject(project, newId(), graceSeconds, now))
  }

  async remove(owned: ProjectOwnership): Promise<void> {
    await this.transactions.run(async (tx) => {
      const project = await this.projects.lock(tx, owned)
      await this.projects.remove(tx, project)
      await this.transactions.announce(tx, project)
    })
  }

  private async update(owned: ProjectOwnership, change: (project: StoredProject, now: Date) => StoredProject): Promise<ProjectReply> {
    const changed = await this.transactions.run(async (tx, now) => {
      const project = change(await this.projects.lock(tx, owned), now)
      await this.projects.save(tx, project)
      await this.transactions.announce(tx, project)
      return project
    })
    return this.describe(changed)
  }

  private describe(project: StoredProject): ProjectReply {
    return describeProject(project, this.place, this.clock.now())
  }
}

function newId(): string {
  return randomBytes(16).toString('hex')
}

function limitPolicy(env: EthRpcEnv): LimitPolicy {
  return {
    usual: { perSecond: env.DEFAULT_PER_SECOND, perDay: env.DEFAULT_PER_DAY },
    max: { perSecond: env.MAX_PER_SECOND, perDay: env.MAX_PER_DAY },
  }
}
