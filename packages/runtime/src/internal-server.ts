import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Injectable } from '@nestjs/common'
import { Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { Readiness } from './readiness.js'

type InternalHandler = (url: URL) => Promise<unknown>

/** JSON that is sent as it is, with headers of its own. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** JSON routes on the internal port, for other services and operators; not reachable through the ingress. */
@Injectable()
export class InternalRoutes {
  private readonly handlers = new Map<string, InternalHandler>()

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.add('/livez', async () => ({ status: 'alive' }))
  }

  add(path: `/${string}`, handler: InternalHandler): void {
    this.handlers.set(path, handler)
  }

  /** A plain server apart from the public one: it responds however busy or half stopped that one is. */
  createServer(): Server {
    return createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        this.logger.error({ err: error, path: pathOf(request) }, 'an internal route failed')
        sendJson(response, 500, { status: 'failed' })
      })
    })
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    if (path === '/metrics') return this.sendMetrics(response)
    if (path === '/readyz') {
      const report = await this.readiness.report()
      return sendJson(response, report.ready ? 200 : 503, report)
    }
    const handler = this.handlers.get(path)
    if (!handler) return sendJson(response, 404, { status: 'unknown' })
    sendJson(response, 200, await handler(new URL(request.url ?? '/', 'http://internal')))
  }

  private async sendMetrics(response: ServerResponse): Promise<void> {
    const text = await this.metrics.text()
    response.writeHead(200, { 'content-type': this.metrics.registry.contentType }).end(text)
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/'
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const { text, headers } = body instanceof JsonText ? body : new JsonText(JSON.stringify(body), {})
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}
