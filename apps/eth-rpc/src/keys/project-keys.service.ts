import { randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { CreatedProjectKey, NewProjectKey, ProjectKey, ProjectKeyChange } from '@trestle/contracts/eth-rpc/project-keys'
import type { EthRpcEnv } from '../env.js'
import { ProjectTransactionsService } from '../projects/project-transactions.service.js'
import { ProjectsService } from '../projects/projects.service.js'
import { ENV } from '../settings.module.js'
import { changedProjectKey, describeCreatedKey, describeProjectKey, newProjectKey } from './project-key.js'
import { ProjectKeysRepository } from './project-keys.repository.js'

interface ProjectReference {
  readonly organizationId: string
  readonly id: string
}

/** The keys of projects: credentials beside the id of each. */
@Injectable()
export class ProjectKeysService {
  private readonly baseUrl: string

  constructor(
    @Inject(ENV) env: EthRpcEnv,
    private readonly keys: ProjectKeysRepository,
    private readonly projects: ProjectsService,
    private readonly transactions: ProjectTransactionsService,
  ) {
    this.baseUrl = env.PUBLIC_URL + env.BASE_PATH
  }

  create(owned: ProjectReference, createdBy: string, given: NewProjectKey): Promise<CreatedProjectKey> {
    const key = randomBytes(16).toString('hex')
    return this.projects.changeWith(owned, async (tx, { serial }, now) => {
      const place = await this.keys.prepare(tx, serial)
      const stored = newProjectKey({ ...place, project: serial, createdBy, key }, given, now)
      await this.keys.add(tx, stored)
      return describeCreatedKey(stored, key, this.baseUrl)
    })
  }

  async list(owned: ProjectReference): Promise<ProjectKey[]> {
    const keys = await this.keys.list(await this.projects.serialOf(owned))
    return keys.map(describeProjectKey)
  }

  change(owned: ProjectReference, number: number, change: ProjectKeyChange): Promise<ProjectKey> {
    return this.projects.changeWith(owned, async (tx, project, now) => {
      const key = changedProjectKey(await this.keys.get(tx, { project: project.serial, number }), change, now)
      await this.keys.save(tx, key)
      await this.transactions.announce(tx, project)
      return describeProjectKey(key)
    })
  }

  remove(owned: ProjectReference, number: number): Promise<void> {
    return this.projects.changeWith(owned, async (tx, project) => {
      await this.keys.remove(tx, { project: project.serial, number })
      await this.transactions.announce(tx, project)
    })
  }
}
