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
  create(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { body, headers }: Of<'create'>): Replied<'create'> {
    return this.creation.createCluster({ userId, requested: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(clusters.list)
  list(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { query }: Of<'list'>): Replied<'list'> {
    return this.clusters.list({ userId, all: query.all })
  }

  @Serves(clusters.get)
  get(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.clusters.get({ userId, ...params })
  }

  @Serves(clusters.change)
  change(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, body }: Of<'change'>): Replied<'change'> {
    return this.changes.change({ userId, ...params }, body)
  }

  @Serves(clusters.remove)
  remove(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'remove'>): Replied<'remove'> {
    return this.clusters.remove({ userId, ...params })
  }

  @Serves(clusters.stop)
  stop(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'stop'>): Replied<'stop'> {
    return this.clusters.stop({ userId, ...params })
  }

  @Serves(clusters.start)
  start(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'start'>): Replied<'start'> {
    return this.clusters.start({ userId, ...params })
  }

  @Serves(clusters.rotateCredentials)
  rotateCredentials(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params }: Of<'rotateCredentials'>,
  ): Replied<'rotateCredentials'> {
    return this.clusters.rotateCredentials({ userId, ...params })
  }

  @Serves(clusters.status)
  status(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'status'>): Replied<'status'> {
    return this.clusters.status({ userId, ...params })
  }

  @Serves(clusters.logs)
  logs(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, query }: Of<'logs'>): Replied<'logs'> {
    return this.machineLogs.read({ userId, kind: 'cluster', ...params }, query.lines)
  }

  @Serves(clusters.all)
  all(@Parsed() { query }: Of<'all'>): Replied<'all'> {
    return this.clusters.listAll(query)
  }

  @Serves(clusters.abortUpdate)
  abortUpdate(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'abortUpdate'>): Replied<'abortUpdate'> {
    return this.changes.abort({ userId, ...params })
  }

  @Serves(clusters.setAlias)
  setAlias(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, body }: Of<'setAlias'>): Replied<'setAlias'> {
    return this.changes.setAlias({ userId, ...params }, body.alias)
  }

  @Serves(clusters.removeAny)
  removeAny(@Parsed() { params }: Of<'removeAny'>): Replied<'removeAny'> {
    return this.clusters.remove(params)
  }
}
