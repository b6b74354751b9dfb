import type { IncomingMessage } from 'node:http'
import type { Provider, Type } from '@nestjs/common'
import type { FastPathReply, HttpAdapter } from '@trestle/runtime/http-adapter'
import { Readiness } from '@trestle/runtime/readiness'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AccessRules } from './access-rules.js'
import { AdmissionService } from './admission.service.js'
import type { RequestContext } from './request-context.js'

/** A project, a workload. */
interface Guarded {
  readonly access: AccessRules
}

/** What a gateway serves by an id in the path, and how. */
export interface GatewayRoute<T extends Guarded> {
  /** The path of plain requests; the id is its first group. */
  readonly path: RegExp
  readonly targets: {
    get(id: string): T | undefined | Promise<T | undefined>
    /** Undefined also where it has to be looked up. */
    known(id: string): T | undefined
  }
  unknown(): Error
  /** Sends the answer. `path` is what follows the id; whatever it throws is refused. */
  serve(target: T, context: RequestContext, path: string): void | Promise<void>
  refuse(context: RequestContext, error: unknown, target: T | undefined): void
}

// A larger body goes through Fastify, which stops reading where it is too large.
const MAX_FAST_BYTES = 64 * 1024

/** Admits and serves requests; the plain ones before Fastify sees them, whose lifecycle costs more than some answers do. */
export class RequestEngine<T extends Guarded> {
  constructor(
    private readonly route: GatewayRoute<T>,
    private readonly admission: AdmissionService,
    private readonly readiness: Readiness,
  ) {}

  openFastPath(adapter: HttpAdapter): void {
    adapter.addFastPath((request, url) => this.fastReply(request, url, () => adapter.addressOf(request)))
  }

  /** A request that came through Fastify. Settles with the end of its answer, and never rejects. */
  async handle(id: string, context: RequestContext, path = ''): Promise<void> {
    let target: T | undefined
    try {
      target = await this.find(id)
    } catch (error) {
      this.route.refuse(context, error, undefined)
      return
    }
    await this.serve(target, context, path)
  }

  /** The target, where the request may call it. */
  async admit(id: string, context: Pick<RequestContext, 'request' | 'address'>): Promise<T> {
    const target = await this.find(id)
    await this.admission.admit(target.access, context)
    return target
  }

  /** The target as it is now, where the request that opened a connection may still call it. */
  async recheck(id: string, context: Pick<RequestContext, 'request' | 'address'>): Promise<T> {
    const target = await this.find(id)
    await this.admission.recheck(target.access, context)
    return target
  }

  async find(id: string): Promise<T> {
    const target = await this.route.targets.get(id)
    if (target) return target
    throw this.route.unknown()
  }

  /** Undefined for all that Fastify has to handle. */
  private fastReply(request: IncomingMessage, url: string, address: () => string): FastPathReply | undefined {
    if (!isPlain(request) || this.readiness.stopping) return undefined
    const id = this.route.path.exec(url)?.[1]
    const target = id === undefined ? undefined : this.route.targets.known(id)
    if (!target || dependsOnSource(target.access)) return undefined
    return (response, headers) => {
      readBody(request, (body) => void this.serve(target, { request, response, headers, body, address }, ''))
    }
  }

  /** Without a promise where nothing has to be waited for. */
  private serve(target: T, context: RequestContext, path: string): void | Promise<void> {
    const { route } = this
    try {
      const admitted = this.admission.admit(target.access, context)
      const served = admitted ? admitted.then(() => route.serve(target, context, path)) : route.serve(target, context, path)
      return served?.catch((error: unknown) => route.refuse(context, error, target))
    } catch (error) {
      route.refuse(context, error, target)
    }
  }
}

/** Lets the features of a service inject the `RequestEngine` of its route. */
export function requestEngineOf(route: Type<GatewayRoute<Guarded>>): Provider[] {
  const useFactory = (...parts: ConstructorParameters<typeof RequestEngine<Guarded>>) => new RequestEngine(...parts)
  return [route, AdmissionService, { provide: RequestEngine, inject: [route, AdmissionService, Readiness], useFactory }]
}

/** Routes whose bodies stay bytes, outside Nest and without a log line and a histogram for each request. */
export const RAW = { internal: true, quiet: true } as const

export function addRawRoutes(
  fastify: FastifyInstance,
  onError: (error: Error, reply: FastifyReply) => void,
  add: (scope: FastifyInstance) => void,
): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler<Error>((error, _request, reply) => onError(error, reply))
    add(scope)
  })
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.upgrade === undefined && Number(headers['content-length']) <= MAX_FAST_BYTES
}

function dependsOnSource({ origins, addresses }: AccessRules): boolean {
  return origins !== undefined || addresses !== undefined
}

/** A body that breaks off needs no answer: its client is gone. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  let body: Buffer | undefined
  request.on('data', (chunk: Buffer) => {
    body = body ? Buffer.concat([body, chunk]) : chunk
  })
  request.on('end', () => done(body))
}
