import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { clusters } from '@trestle/contracts/nodes/clusters'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ClusterChangesService } from './cluster-changes.service.js'
import { ClustersService } from './clusters.service.js'
import { LogsService } from './logs.service.js'
import { WorkloadCreationService } from './workload-creation.service.js'

type Of<E extends keyof typeof clusters> = Input<(typeof clusters)[E]>
type Replied<E extends keyof typeof clusters> = Promise<Reply<(typeof clusters)[E]>>

@Controller()
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    private readonly creation: WorkloadCreationService,
    private readonly changes: ClusterChangesService,
    private readonly machineLogs: LogsService,
  ) {}

  @Serves(clusters.create)
  create(@CurrentCaller() { organizationId, userId }: CurrentCaller, @Parsed() { body, headers }: Of<'create'>): Replied<'create'> {
    return this.creation.createCluster({ organizationId, userId, requested: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(clusters.list)
  list(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { query }: Of<'list'>): Replied<'list'> {
    return this.clusters.list({ organizationId, all: query.all })
  }

  @Serves(clusters.get)
  get(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.clusters.get({ organizationId, ...params })
  }

  @Serves(clusters.change)
  change(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, body }: Of<'change'>): Replied<'change'> {
    return this.changes.change({ organizationId, ...params }, body)
  }

  @Serves(clusters.remove)
  remove(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, query }: Of<'remove'>): Replied<'remove'> {
    return this.clusters.remove({ organizationId, ...params }, query)
  }

  @Serves(clusters.restore)
  restore(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'restore'>): Replied<'restore'> {
    return this.clusters.restore({ organizationId, ...params })
  }

  @Serves(clusters.stop)
  stop(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'stop'>): Replied<'stop'> {
    return this.clusters.stop({ organizationId, ...params })
  }

  @Serves(clusters.start)
  start(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'start'>): Replied<'start'> {
    return this.clusters.start({ organizationId, ...params })
  }

  @Serves(clusters.rotateCredentials)
  rotateCredentials(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params }: Of<'rotateCredentials'>,
  ): Replied<'rotateCredentials'> {
    return this.clusters.rotateCredentials({ organizationId, ...params })
  }

  @Serves(clusters.status)
  status(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'status'>): Replied<'status'> {
    return this.clusters.status({ organizationId, ...params })
  }

  @Serves(clusters.logs)
  logs(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, query }: Of<'logs'>): Replied<'logs'> {
    return this.machineLogs.read({ organizationId, kind: 'cluster', ...params }, query.lines)
  }

  @Serves(clusters.all)
  all(@Parsed() { query }: Of<'all'>): Replied<'all'> {
    return this.clusters.listAll(query)
  }

  @Serves(clusters.abortUpdate)
  abortUpdate(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'abortUpdate'>): Replied<'abortUpdate'> {
    return this.changes.abort({ organizationId, ...params })
  }

  @Serves(clusters.setAlias)
  setAlias(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, body }: Of<'setAlias'>): Replied<'setAlias'> {
    return this.changes.setAlias({ organizationId, ...params }, body.alias)
  }

  @Serves(clusters.removeAny)
  removeAny(@Parsed() { params }: Of<'removeAny'>): Replied<'removeAny'> {
    return this.clusters.remove(params)
  }
}
