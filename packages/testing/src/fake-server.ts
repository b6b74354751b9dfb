import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, urlOf } from '@trestle/runtime/server-url'

/** An HTTP server on a free port, whose responses a test defines. */
export abstract class FakeServer {
  private readonly server = createServer((request, response) => void this.serve(request, response))

  get url(): string {
    return urlOf(this.server)
  }

  async listen(): Promise<this> {
    await listen(this.server, 0, '127.0.0.1')
    return this
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  protected abstract serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}
