import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { NewProject, ProjectChange, Project as ProjectReply } from '@trestle/contracts/eth-rpc/projects'
import { Turns } from '@trestle/database/turns'
import type { EthRpcTransaction } from '../database.module.js'
import type { EthRpcEnv } from '../env.js'
import { checkTokenSettings } from '../foreign-tokens/token-settings.js'
import { ENV } from '../settings.module.js'
import { LimitGrantsService } from './limit-grants.service.js'
import {
  changedProject,
  checkRoom,
  describeProject,
  newProject,
  rotatedProject,
  type StoredProject,
  transferredProject,
} from './project.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { type ProjectOwnership, ProjectsRepository } from './projects.repository.js'

type CreatingCaller = Pick<Caller, 'organizationId' | 'userId'>

type Work<T> = (tx: EthRpcTransaction, now: Date) => Promise<T>

type StoredChange = (project: StoredProject, now: Date) => StoredProject

@Injectable()
export class ProjectsService {
  /** Outside production an identity provider may run on this machine. */
  private readonly allowsLoopback: boolean
  private readonly place: { chain: string; baseUrl: string }
  /** What locks the same rows of Postgres waits here: there, it would keep connections from everybody else. Users go before organizations. */
  private readonly turns = new Turns(1)

  constructor(
    @Inject(ENV) env: EthRpcEnv,
    private readonly projects: ProjectsRepository,
    private readonly grants: LimitGrantsService,
    private readonly transactions: ProjectTransactionsService,
  ) {
    this.allowsLoopback = env.NODE_ENV !== 'production'
    this.place = { chain: env.CHAIN, baseUrl: env.PUBLIC_URL + env.BASE_PATH }
  }

  async create(caller: CreatingCaller, given: NewProject): Promise<ProjectReply> {
    checkTokenSettings(given.tokens, this.allowsLoopback)
    const owner = { id: newId(), organizationId: caller.organizationId, ownerId: caller.userId }
    const add: Work<StoredProject> = async (tx, now) => {
      const counts = await this.projects.count(tx, owner, now)
      const policy = await this.grants.policyFor(tx, caller.userId)
      return this.projects.add(tx, newProject({ ...owner, ...counts }, given, policy, now), counts)
    }
    return this.describe(await this.turns.run(`user ${caller.userId}`, () => this.run(caller, add)))
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

  async change(owned: ProjectOwnership, change: ProjectChange): Promise<ProjectReply> {
    checkTokenSettings(change.tokens, this.allowsLoopback)
    return this.update(owned, async (tx) => {
      const { ownerId } = await this.projects.get(owned, tx)
      const policy = await this.grants.policyFor(tx, ownerId)
      return (project, now) => changedProject(project, change, policy, now)
    })
  }

  rotate(owned: ProjectOwnership, { graceSeconds } = { graceSeconds: 0 }): Promise<ProjectReply> {
    return this.update(owned, async () => (project, now) => rotatedProject(project, newId(), graceSeconds, now))
  }

  /** The caller may create projects in both organizations. */
  async transfer(owned: ProjectOwnership, organizationId: string): Promise<ProjectReply> {
    const project = await this.run({ organizationId }, async (tx, now) => {
      checkRoom({ owned: await this.projects.countOwned(tx, organizationId) })
      const transferred = transferredProject(await this.projects.lock(tx, owned), organizationId, now)
      await this.projects.save(tx, transferred)
      await this.transactions.announce(tx, transferred)
      return transferred
    })
    return this.describe(project)
  }

  async remove(owned: ProjectOwnership): Promise<void> {
    await this.run(owned, async (tx) => {
      const project = await this.projects.lock(tx, owned)
      await this.projects.remove(tx, project)
      await this.transactions.announce(tx, project)
    })
  }

  private async update(owned: ProjectOwnership, prepare: (tx: EthRpcTransaction) => Promise<StoredChange>): Promise<ProjectReply> {
    const changed = await this.run(owned, async (tx, now) => {
      // Whoever changes what was granted locks the owner first, too.
      const change = await prepare(tx)
      const project = change(await this.projects.lock(tx, owned), now)
      await this.projects.save(tx, project)
      await this.transactions.announce(tx, project)
      return project
    })
    return this.describe(changed)
  }

  /** Runs work in a transaction in which nobody else changes the project. */
  changeWith<T>(owned: ProjectOwnership, work: (tx: EthRpcTransaction, project: StoredProject, now: Date) => Promise<T>): Promise<T> {
    return this.run(owned, async (tx, now) => work(tx, await this.projects.lock(tx, owned), now))
  }

  /** One transaction of an organization at a time. */
  private run<T>({ organizationId }: Pick<ProjectOwnership, 'organizationId'>, work: Work<T>): Promise<T> {
    return this.turns.run(`organization ${organizationId}`, () => this.transactions.run(work))
  }

  private describe(project: StoredProject): ProjectReply {
    return describeProject(project, this.place, this.transactions.now())
  }
}

function newId(): string {
  return randomBytes(16).toString('hex')
}
