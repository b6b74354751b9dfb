import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Module } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { HttpAdapter } from '@trestle/runtime/http-adapter'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { Admission } from './admission.service.js'
import { Bounds } from './bounds.js'
import { Calls } from './calls.service.js'
import { Door } from './door.service.js'
import { Forwarding } from './forwarding.service.js'
import { Gateway } from './gateway.service.js'
import { GatewayMetrics } from './gateway-metrics.service.js'
import { LiveWorkloads } from './live-workloads.engine.js'
import { LiveWorkloadsJob } from './live-workloads.job.js'
import { LiveWorkloadsRepository } from './live-workloads.repository.js'
import { MachineClients } from './machine-clients.service.js'
import { OwnPortsJob } from './own-ports.job.js'
import { OwnPorts } from './own-ports.service.js'
import { RestCalls } from './rest-calls.service.js'
import { RpcCalls } from './rpc-calls.service.js'
import { ShortWay } from './short-way.service.js'

const WORKLOADS = [LiveWorkloads, LiveWorkloadsJob, LiveWorkloadsRepository, MachineClients]
const CALLS = [Admission, Bounds, Calls, Forwarding, Gateway, RestCalls, RpcCalls]
const DOORS = [Door, GatewayMetrics, OwnPorts, OwnPortsJob, ShortWay]

/** The one door to machines: `/rpc/<id>`, and the own ports of holdings that have one. */
@Module({ providers: [...WORKLOADS, ...CALLS, ...DOORS] })
export class GatewayModule {}

/** Opens it where this process is one. Ports of holdings open when the service does. */
export function openGateway(app: NestFastifyApplication): void {
  const { ROLE } = app.get<NodesEnv>(ENV, { strict: false })
  if (ROLE !== 'all' && ROLE !== 'gateway') return
  const adapter = app.getHttpAdapter() as unknown as HttpAdapter
  app.get(Door).register(adapter.getInstance())
  const shortWay = app.get(ShortWay)
  adapter.answerDirectly((request, url) => shortWay.find(request, url))
  app.get(OwnPorts).use(listenerOf(adapter))
}

/** What the public port does with a request. */
function listenerOf(adapter: HttpAdapter): RequestListener {
  const { server } = adapter.getInstance()
  return (request: IncomingMessage, response: ServerResponse) => void server.emit('request', request, response)
}
