import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { CreatedCluster, NewCluster } from '@trestle/contracts/nodes/clusters'
import type { CreatedNode, NewNode } from '@trestle/contracts/nodes/nodes'
import { Problem } from '@trestle/problem/problem'
import { CatalogueEntriesService } from '../catalogue/catalogue-entries.service.js'
import { PlansService } from '../plans/plans.service.js'
import { type DescriptionContext, describeCreatedCluster, describeCreatedNode } from './description.js'
import { checkQuota, newWorkload, requestOf, type WorkloadOrder } from './new-workload.js'
import { unknownWorkload, type WorkloadWithMachines } from './workload.js'
import { WorkloadAccessService } from './workload-access.service.js'
import { WorkloadsRepository } from './workloads.repository.js'

type Order<T> = Pick<WorkloadOrder, 'organizationId' | 'userId' | 'requestKey'> & { readonly requested: T }

/** Creates workloads: it writes the desired state, the reconciler makes the machines. */
@Injectable()
export class WorkloadCreationService {
  constructor(
    private readonly repository: WorkloadsRepository,
    private readonly catalogue: CatalogueEntriesService,
    private readonly plans: PlansService,
    private readonly access: WorkloadAccessService,
  ) {}

  createNode(order: Order<NewNode>): Promise<CreatedNode> {
    return this.create({ ...order, kind: 'node' }, describeCreatedNode)
  }

  createCluster(order: Order<NewCluster>): Promise<CreatedCluster> {
    return this.create({ ...order, kind: 'cluster' }, describeCreatedCluster)
  }

  private async create<T>(order: WorkloadOrder, describe: (full: WorkloadWithMachines, context: DescriptionContext) => T): Promise<T> {
    const { organizationId, kind } = order
    // A request that came twice at the same time finds what the other one created.
    const id = (await this.findCreated(order)) ?? (await this.add(order)) ?? (await this.findCreated(order))
    const created = id && (await this.repository.find({ organizationId, kind, id }))
    if (!created) throw unknownWorkload(kind)
    return describe(created, this.access.contextOf(created.workload, await this.plans.of(created.workload)))
  }

  /** The workload that an earlier request with the same Idempotency-Key created. */
  private async findCreated(order: WorkloadOrder): Promise<string | undefined> {
    const request = requestOf(order)
    const earlier = request && (await this.repository.findByRequest(order, request.key))
    if (!earlier) return undefined
    if (earlier.requestHash && request.hash.equals(earlier.requestHash)) return earlier.id
    throw new Problem('conflict', 'IdempotencyKeyReused', 'This Idempotency-Key was used for another request: use a new one.')
  }

  private async add(order: WorkloadOrder): Promise<string | undefined> {
    const { kind, requested } = order
    const plan = await this.plans.of(order)
    const id = `${kind}-${randomUUID()}`
    const workload = newWorkload(order, {
      id,
      blueprint: await this.catalogue.choose(requested, kind),
      credentials: this.access.issueCredentials(id),
      ports: this.access.ports,
      ...this.plans.lifetimeOf(plan, requested.ttl),
    })
    return (await this.repository.add(workload, (counts) => checkQuota(kind, counts, plan))) ? id : undefined
  }
}
