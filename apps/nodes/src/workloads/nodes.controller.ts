import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nodes } from '@trestle/contracts/nodes/nodes'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { LogsService } from './logs.service.js'
import { NodesService } from './nodes.service.js'
import { WorkloadCreationService } from './workload-creation.service.js'

type Of<E extends keyof typeof nodes> = Input<(typeof nodes)[E]>
type Replied<E extends keyof typeof nodes> = Promise<Reply<(typeof nodes)[E]>>

@Controller()
export class NodesController {
  constructor(
    private readonly nodes: NodesService,
    private readonly creation: WorkloadCreationService,
    private readonly machineLogs: LogsService,
  ) {}

  @Serves(nodes.create)
  create(@CurrentCaller() { organizationId, userId }: CurrentCaller, @Parsed() { body, headers }: Of<'create'>): Replied<'create'> {
    return this.creation.createNode({ organizationId, userId, requested: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(nodes.list)
  list(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { query }: Of<'list'>): Replied<'list'> {
    return this.nodes.list({ organizationId, all: query.all })
  }

  @Serves(nodes.statuses)
  statuses(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { query }: Of<'statuses'>): Replied<'statuses'> {
    return this.nodes.statuses({ organizationId, all: query.all })
  }

  @Serves(nodes.get)
  get(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.nodes.get({ organizationId, ...params })
  }

  @Serves(nodes.change)
  change(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, body }: Of<'change'>): Replied<'change'> {
    return this.nodes.change({ organizationId, ...params }, body)
  }

  @Serves(nodes.remove)
  remove(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, query }: Of<'remove'>): Replied<'remove'> {
    return this.nodes.remove({ organizationId, ...params }, query)
  }

  @Serves(nodes.restore)
  restore(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'restore'>): Replied<'restore'> {
    return this.nodes.restore({ organizationId, ...params })
  }

  @Serves(nodes.stop)
  stop(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'stop'>): Replied<'stop'> {
    return this.nodes.stop({ organizationId, ...params })
  }

  @Serves(nodes.start)
  start(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'start'>): Replied<'start'> {
    return this.nodes.start({ organizationId, ...params })
  }

  @Serves(nodes.rotateCredentials)
  rotateCredentials(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params }: Of<'rotateCredentials'>,
  ): Replied<'rotateCredentials'> {
    return this.nodes.rotateCredentials({ organizationId, ...params })
  }

  @Serves(nodes.status)
  status(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Of<'status'>): Replied<'status'> {
    return this.nodes.status({ organizationId, ...params })
  }

  @Serves(nodes.logs)
  logs(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params, query }: Of<'logs'>): Replied<'logs'> {
    return this.machineLogs.read({ organizationId, kind: 'node', ...params }, query.lines)
  }

  @Serves(nodes.all)
  all(@Parsed() { query }: Of<'all'>): Replied<'all'> {
    return this.nodes.listAll(query)
  }
}
