import { Injectable } from '@nestjs/common'
import type { ClusterChange } from '@trestle/contracts/nodes/clusters'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { CatalogueEntriesService } from '../catalogue/catalogue-entries.service.js'
import { aliasTaken } from './creation.service.js'
import { AliasTaken, type Ownership, WorkloadsRepository } from './workloads.repository.js'
import { Workloads } from './workloads.service.js'

/** What only clusters can become: of another service, larger or smaller, of another name. */
@Injectable()
export class ClusterChanges {
  constructor(
    private readonly workloads: Workloads,
    private readonly repository: WorkloadsRepository,
    private readonly offers: CatalogueEntriesService,
    private readonly clock: Clock,
  ) {}

  async change(owned: Ownership, { serviceId, ...settings }: ClusterChange): Promise<void> {
    if (serviceId !== undefined) await this.changeService(owned, serviceId)
    await this.workloads.change(owned, settings)
  }

  async abort(owned: Ownership): Promise<void> {
    await this.workloads.find(owned)
    if (await this.repository.changeBack(owned, this.clock.now())) return
    throw new Problem('conflict', 'NothingUpdating', 'Its service is not being changed.')
  }

  async setAlias(owned: Ownership, alias: string | null): Promise<void> {
    await this.repository.saveAlias(owned, this.clock.now(), alias).catch((error) => {
      throw error instanceof AliasTaken ? aliasTaken() : error
    })
  }

  private async changeService(owned: Ownership, serviceId: string): Promise<void> {
    const { workload } = await this.workloads.find(owned)
    const next = await this.offers.choose({ serviceId }, 'cluster')
    const { chain, network } = workload.blueprint
    if (next.chain !== chain || next.network !== network) {
      throw new Problem('conflict', 'OtherChain', `It is of ${chain} ${network}, and this service of ${next.chain} ${next.network}.`)
    }
    if (serviceId === workload.blueprint.serviceId && !workload.nextBlueprint) return
    if (await this.repository.changeTo(owned, this.clock.now(), next)) return
    throw new Problem('conflict', 'ClusterUpdating', 'It is being changed to another service: wait, or abort that first.')
  }
}
