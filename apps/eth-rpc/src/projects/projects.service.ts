import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { NewProject, ProjectChange, Project as ProjectReply } from '@trestle/contracts/eth-rpc/projects'
import { Clock } from '@trestle/runtime/clock'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import {
  changedProject,
  checkRoom,
  describeProject,
  type LimitPolicy,
  newProject,
  rotatedProject,
  type StoredProject,
  transferredProject,
} from './project.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { type ProjectOwnership, ProjectsRepository } from './projects.repository.js'

type CreatingCaller = Pick<Caller, 'organizationId' | 'userId'>

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

  async create(caller: CreatingCaller, given: NewProject): Promise<ProjectReply> {
    const owner = { id: newId(), organizationId: caller.organizationId, ownerId: caller.userId }
    const project = await this.transactions.run(async (tx, now) => {
      const counts = await this.projects.count(tx, owner, now)
      return this.projects.add(tx, newProject({ ...owner, ...counts }, given, this.policy, now), counts)
    })
    return this.describe(project)
  }

  async list(organizationId: string): Promise<ProjectReply[]> {
    const projects = await this.projects.list(organizationId)
    return projects.map((project) => this.describe(project))
  }

  async get(owned: ProjectOwnership): Promise<ProjectReply> {
    return this.describe(await this.projects.get(owned))
  }

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

  /** The caller may create projects in both organizations. */
  async transfer(owned: ProjectOwnership, organizationId: string): Promise<ProjectReply> {
    const project = await this.transactions.run(async (tx, now) => {
      checkRoom({ owned: await this.projects.countOwned(tx, organizationId) })
      const transferred = transferredProject(await this.projects.lock(tx, owned), organizationId, now)
      await this.projects.save(tx, transferred)
      await this.transactions.announce(tx, transferred)
      return transferred
    })
    return this.describe(project)
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
