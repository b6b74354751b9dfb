import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Module } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { RequestEngine, requestEngineOf } from '@trestle/gateway/request.engine'
import { HttpAdapter } from '@trestle/runtime/http-adapter'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { CallBounds } from './call-bounds.js'
import { CallsService } from './calls.service.js'
import { ClusterCallsService } from './cluster-calls.service.js'
import { LiveWorkloads } from './live-workloads.engine.js'
import { LiveWorkloadsJob } from './live-workloads.job.js'
import { LiveWorkloadsRepository } from './live-workloads.repository.js'
import { MachineClients } from './machine-clients.engine.js'
import { PortListeners } from './port-listeners.engine.js'
import { PortListenersJob } from './port-listeners.job.js'
import { WorkloadRouteController } from './workload-route.controller.js'

const WORKLOADS = [LiveWorkloads, LiveWorkloadsJob, LiveWorkloadsRepository, MachineClients]
const CALLS = [...requestEngineOf(CallsService), CallBounds, ClusterCallsService]
const ROUTES = [PortListeners, PortListenersJob, WorkloadRouteController]

/** The one way to machines: `/rpc/<id>`, and the ports of workloads that have one of their own. */
@Module({ providers: [...WORKLOADS, ...CALLS, ...ROUTES] })
export class GatewayModule {}

/** Opens it where this process is one. The ports of workloads open when the service does. */
export function openGateway(app: NestFastifyApplication): void {
  const { ROLE } = app.get<NodesEnv>(ENV, { strict: false })
  if (ROLE !== 'all' && ROLE !== 'gateway') return
  const adapter = HttpAdapter.of(app)
  app.get(WorkloadRouteController).register(adapter.getInstance())
  app.get(RequestEngine).openFastPath(adapter)
  app.get(PortListeners).use(listenerOf(adapter))
}

/** What the public port does with a request. */
function listenerOf(adapter: HttpAdapter): RequestListener {
  const { server } = adapter.getInstance()
  return (request: IncomingMessage, response: ServerResponse) => void server.emit('request', request, response)
}
