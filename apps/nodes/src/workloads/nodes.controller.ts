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
  create(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { body, headers }: Of<'create'>): Replied<'create'> {
    return this.creation.createNode({ userId, requested: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(nodes.list)
  list(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { query }: Of<'list'>): Replied<'list'> {
    return this.nodes.list({ userId, all: query.all })
  }

  @Serves(nodes.statuses)
  statuses(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { query }: Of<'statuses'>): Replied<'statuses'> {
    return this.nodes.statuses({ userId, all: query.all })
  }

  @Serves(nodes.get)
  get(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.nodes.get({ userId, ...params })
  }

  @Serves(nodes.change)
  change(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, body }: Of<'change'>): Replied<'change'> {
    return this.nodes.change({ userId, ...params }, body)
  }

  @Serves(nodes.remove)
  remove(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'remove'>): Replied<'remove'> {
    return this.nodes.remove({ userId, ...params })
  }

  @Serves(nodes.stop)
  stop(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'stop'>): Replied<'stop'> {
    return this.nodes.stop({ userId, ...params })
  }

  @Serves(nodes.start)
  start(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'start'>): Replied<'start'> {
    return this.nodes.start({ userId, ...params })
  }

  @Serves(nodes.rotateCredentials)
  rotateCredentials(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params }: Of<'rotateCredentials'>,
  ): Replied<'rotateCredentials'> {
    return this.nodes.rotateCredentials({ userId, ...params })
  }

  @Serves(nodes.status)
  status(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Of<'status'>): Replied<'status'> {
    return this.nodes.status({ userId, ...params })
  }

  @Serves(nodes.logs)
  logs(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, query }: Of<'logs'>): Replied<'logs'> {
    return this.machineLogs.read({ userId, kind: 'node', ...params }, query.lines)
  }

  @Serves(nodes.all)
  all(@Parsed() { query }: Of<'all'>): Replied<'all'> {
    return this.nodes.listAll(query)
  }
}
