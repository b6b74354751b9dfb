import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nodes } from '@trestle/contracts/nodes/nodes'
import { Caller, Parsed, Serves } from '@trestle/runtime/serves'
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
  create(@Caller() { userId }: Caller, @Parsed() { body, headers }: Of<'create'>): Replied<'create'> {
    return this.creation.createNode({ userId, requested: body, requestKey: headers['idempotency-key'] })
  }

  @Serves(nodes.list)
  list(@Caller() { userId }: Caller, @Parsed() { query }: Of<'list'>): Replied<'list'> {
    return this.nodes.list({ userId, all: query.all })
  }

  @Serves(nodes.statuses)
  statuses(@Caller() { userId }: Caller, @Parsed() { query }: Of<'statuses'>): Replied<'statuses'> {
    return this.nodes.statuses({ userId, all: query.all })
  }

  @Serves(nodes.get)
  get(@Caller() { userId }: Caller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.nodes.get({ userId, ...params })
  }

  @Serves(nodes.change)
  change(@Caller() { userId }: Caller, @Parsed() { params, body }: Of<'change'>): Replied<'change'> {
    return this.nodes.change({ userId, ...params }, body)
  }

  @Serves(nodes.remove)
  remove(@Caller() { userId }: Caller, @Parsed() { params }: Of<'remove'>): Replied<'remove'> {
    return this.nodes.remove({ userId, ...params })
  }

  @Serves(nodes.stop)
  stop(@Caller() { userId }: Caller, @Parsed() { params }: Of<'stop'>): Replied<'stop'> {
    return this.nodes.stop({ userId, ...params })
  }

  @Serves(nodes.start)
  start(@Caller() { userId }: Caller, @Parsed() { params }: Of<'start'>): Replied<'start'> {
    return this.nodes.start({ userId, ...params })
  }

  @Serves(nodes.rotateCredentials)
  rotateCredentials(@Caller() { userId }: Caller, @Parsed() { params }: Of<'rotateCredentials'>): Replied<'rotateCredentials'> {
    return this.nodes.rotateCredentials({ userId, ...params })
  }

  @Serves(nodes.status)
  status(@Caller() { userId }: Caller, @Parsed() { params }: Of<'status'>): Replied<'status'> {
    return this.nodes.status({ userId, ...params })
  }

  @Serves(nodes.logs)
  logs(@Caller() { userId }: Caller, @Parsed() { params, query }: Of<'logs'>): Replied<'logs'> {
    return this.machineLogs.read({ userId, kind: 'node', ...params }, query.lines)
  }

  @Serves(nodes.all)
  all(@Parsed() { query }: Of<'all'>): Replied<'all'> {
    return this.nodes.listAll(query)
  }
}
