import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList, connect, type Socket } from 'node:net'
import { createLogger } from '@trestle/runtime/logger'
import type { RunningServer } from '@trestle/runtime/plain-server'
import { type IngressOptions, startIngress } from '../src/ingress.js'

const closers: (() => unknown)[] = []

/** Closes all that a test has opened. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}

export type TestUpstream = { server: Server; url: URL; seen: IncomingMessage[] }

/** A real HTTP server in the place of a service. */
export async function upstream(listener: RequestListener = (_, response) => response.end('ok')): Promise<TestUpstream> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { server, url: new URL(`http://127.0.0.1:${await listening(server)}`), seen }
}

/** A server that speaks whatever bytes the test wants. */
export async function rawUpstream(onConnection: (socket: Socket) => void): Promise<URL> {
  const { createServer } = await import('node:net')
  const server = createServer((socket) => {
    closers.push(() => socket.destroy())
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  closers.push(() => server.close())
  return new URL(`http://127.0.0.1:${await listening(server)}`)
}

export async function refusingAddress(): Promise<URL> {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return new URL(`http://127.0.0.1:${port}`)
}

export async function startTestIngress(
  upstreams: Record<string, URL | URL[]>,
  options: Partial<IngressOptions> = {},
): Promise<RunningServer & { port: number }> {
  const ingress = await startIngress({
    host: '127.0.0.1',
    port: 0,
    internalPort: 0,
    upstreams: new Map(Object.entries(upstreams).map(([name, urls]) => [name, [urls].flat()])),
    trusted: new BlockList(),
    logger: createLogger('ingress', 'silent'),
    stopDeadlineMs: 500,
    ...options,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= ingress.stop()
    return stopped
  }
  closers.push(stop)
  return { ...ingress, stop, port: Number(new URL(ingress.url).port) }
}

/** A client that says exactly these bytes, and hears everything until the connection ends. */
export function client(port: number): {
  socket: Socket
  heard: () => string
  end: Promise<string>
  hears: (text: string) => Promise<void>
} {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  let heard = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    heard += text
    socket.emit('heard')
  })
  socket.on('error', () => undefined)
  const end = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  const hears = async (text: string) => {
    while (!heard.includes(text)) await once(socket, 'heard')
  }
  return { socket, heard: () => heard, end, hears }
}

export async function say(port: number, text: string): Promise<string> {
  const { socket, end } = client(port)
  socket.write(text, 'latin1')
  return end
}

export async function responseBody(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Answers what it received, as JSON. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  responseBody(request).then(
    (body) => response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body })),
    () => response.destroy(),
  )
}

/** Closed after the test. */
export async function listening(server: Server | import('node:net').Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
