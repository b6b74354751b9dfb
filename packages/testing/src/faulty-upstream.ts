import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import { listen } from '@trestle/runtime/server-url'
import { corrupt, corruptBatch, corruptText, type Fault, type JsonRpcReply, type RpcRequest } from './faults.js'
import { FaultySocket } from './faulty-socket.js'
import { StaleView } from './stale-view.js'

interface FaultOptions {
  /** Only requests with these methods fail; all by default. */
  readonly methods?: readonly string[]
  /** The fault ends after this many requests. */
  readonly times?: number
}

interface ActiveFault extends FaultOptions {
  readonly fault: Fault
  left: number
}

const HEADERS = { 'content-type': 'application/json' }

/** A proxy to a node, over HTTP and WebSocket, that fails on demand. */
export async function startFaultyUpstream(node: { url: string; webSocketUrl: string }): Promise<FaultyUpstream> {
  const upstream = new FaultyUpstream(node)
  await upstream.listen()
  return upstream
}

export class FaultyUpstream {
  private readonly counts = new Map<string, number>()
  private readonly server: Server
  private readonly connections = new Set<Socket>()
  private readonly sockets = new Set<FaultySocket>()
  private active?: ActiveFault
  private view?: StaleView
  private port = 0
  private requestCount = 0

  constructor(private node: { url: string; webSocketUrl: string }) {
    this.server = createServer((request, response) => void this.receive(request, response).catch(() => response.destroy()))
    this.server.on('connection', (socket) => {
      this.connections.add(socket)
      socket.once('close', () => this.connections.delete(socket))
    })
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head))
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get webSocketUrl(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** The number of open WebSockets. */
  get webSockets(): number {
    return this.sockets.size
  }

  /** The number of HTTP requests; a batch is one. */
  get requests(): number {
    return this.requestCount
  }

  /** How often a method was requested, over HTTP and WebSocket, in batches too. */
  asked(method: string): number {
    return this.counts.get(method) ?? 0
  }

  /** All methods that were requested, and how often. */
  get tally(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts)
  }

  /** Resets the counts. */
  forget(): void {
    this.counts.clear()
    this.requestCount = 0
  }

  /** Fails like this from now on, instead of the fault before. */
  async fail(fault: Fault, options: FaultOptions = {}): Promise<void> {
    await this.heal()
    if (fault.kind === 'stale') this.view = new StaleView((await this.height()) - fault.behind)
    this.active = { fault, ...options, left: options.times ?? Number.POSITIVE_INFINITY }
    if (fault.kind === 'dead') await this.close()
  }

  /** Ends the fault. */
  async heal(): Promise<void> {
    const wasDead = this.active?.fault.kind === 'dead'
    this.active = undefined
    this.view = undefined
    if (wasDead) await this.listen()
  }

  /** Forwards to another node from now on. */
  become(node: { url: string; webSocketUrl: string }): void {
    this.node = node
    this.cutWebSockets()
  }

  /** Closes every WebSocket; new ones may be opened. */
  cutWebSockets(): void {
    for (const socket of this.sockets) socket.cut()
  }

  async listen(): Promise<void> {
    this.port = Number(new URL(await listen(this.server, this.port, '127.0.0.1')).port)
  }

  async stop(): Promise<void> {
    if (this.server.listening) await this.close()
  }

  /** Counts these requests, and returns their fault. */
  faultOf(calls: readonly RpcRequest[]): Fault | undefined {
    for (const { method = '' } of calls) this.counts.set(method, this.asked(method) + 1)
    const { active } = this
    if (!active || active.left <= 0) return undefined
    const { methods } = active
    if (methods && !calls.some(({ method = '' }) => methods.includes(method))) return undefined
    active.left -= 1
    return active.fault
  }

  get staleView(): StaleView | undefined {
    return this.view
  }

  get isSilent(): boolean {
    return this.view !== undefined || this.active?.fault.kind === 'hanging'
  }

  private async close(): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const connection of this.connections) connection.resetAndDestroy()
    this.cutWebSockets()
    await closed
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request)
    this.requestCount += 1
    const calls = callsOf(text)
    const fault = this.faultOf([calls].flat())
    if (!fault) return send(response, await this.ask(text))
    if (fault.kind === 'hanging') return
    if (fault.kind === 'slow') await delay(fault.ms)
    if (refuses(fault, response)) return
    if (fault.kind === 'endless') return trickle(response)
    const body = corruptText(fault, JSON.stringify(await this.answer(calls, fault)))
    if (fault.kind === 'reset') return reset(response, body)
    send(response, body)
  }

  private async answer(calls: RpcRequest | RpcRequest[], fault: Fault): Promise<unknown> {
    const answers = await Promise.all([calls].flat().map((call) => this.answerTo(call, fault)))
    return Array.isArray(calls) ? corruptBatch(fault, answers) : answers[0]
  }

  private async answerTo(call: RpcRequest, fault: Fault): Promise<JsonRpcReply> {
    const translated = this.view?.translate(call) ?? { request: call }
    if ('response' in translated) return translated.response
    const answer: JsonRpcReply = JSON.parse(String(await this.ask(JSON.stringify(translated.request))))
    return corrupt(fault, this.view?.censor(answer) ?? answer, call.method)
  }

  private async ask(body: string): Promise<Buffer> {
    const answer = await fetch(this.node.url, { method: 'POST', headers: HEADERS, body })
    return Buffer.from(await answer.arrayBuffer())
  }

  private async height(): Promise<number> {
    return Number(await new EthereumRpc(this.node.url).call<string>('eth_blockNumber'))
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const fault = this.active?.fault
    const status = fault && statusOf(fault)
    if (status) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    if (fault?.kind === 'hanging') return
    const opened = new FaultySocket(this, this.node.webSocketUrl)
    this.sockets.add(opened)
    opened.accept({ request, socket, head }, () => this.sockets.delete(opened))
  }
}

/** The HTTP status of a fault that has one. */
function statusOf(fault: Fault): number | undefined {
  if (fault.kind === 'rate-limited') return 429
  return fault.kind === 'status' ? fault.status : undefined
}

function refuses(fault: Fault, response: ServerResponse): boolean {
  const status = statusOf(fault)
  if (!status) return false
  const retryAfter = fault.kind === 'rate-limited' ? fault.retryAfter : undefined
  const body = fault.kind === 'status' ? (fault.body ?? 'something went wrong') : 'too many requests'
  response.writeHead(status, { 'content-type': 'text/plain', ...(retryAfter && { 'retry-after': retryAfter }) }).end(body)
  return true
}

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { ...HEADERS, 'content-length': body.length }).end(body)
}

function reset(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { ...HEADERS, 'content-length': body.length })
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.socket?.resetAndDestroy())
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, HEADERS)
  response.write('{"jsonrpc":"2.0","id":1,"result":"0x')
  const timer = setInterval(() => response.write('00'), 10)
  response.once('close', () => clearInterval(timer))
}

/** The gateway sends well-formed JSON; anything else is forwarded unchanged. */
function callsOf(text: string): RpcRequest | RpcRequest[] {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
