import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { corrupt, corruptText, type Fault, type JsonRpcReply, type RpcRequest } from './faults.js'
import type { StaleView } from './stale-view.js'

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Decides about faults. */
interface FaultSource {
  readonly staleView: StaleView | undefined
  /** Sends no notifications: it hangs, or is stale. */
  readonly isSilent: boolean
  faultOf(calls: readonly RpcRequest[]): Fault | undefined
}

interface PendingRequest {
  readonly method?: string
  readonly fault?: Fault
}

const upgrades = new WebSocketServer({ noServer: true })

/** A WebSocket to a node, with faults in between. */
export class FaultySocket {
  private readonly node: WebSocket
  private caller?: WebSocket
  private readonly queued: string[] = []
  private readonly pending = new Map<unknown, PendingRequest>()

  constructor(
    private readonly source: FaultSource,
    url: string,
  ) {
    this.node = new WebSocket(url, { perMessageDeflate: false })
    this.node.on('open', () => {
      for (const message of this.queued.splice(0)) this.node.send(message)
    })
    this.node.on('message', (text) => void this.forward(String(text)))
    this.node.on('error', () => this.cut())
    this.node.on('close', () => this.cut())
  }

  accept({ request, socket, head }: Upgrade, onClose: () => void): void {
    upgrades.handleUpgrade(request, socket, head, (caller) => {
      this.caller = caller
      caller.on('message', (text) => this.receive(String(text)))
      caller.on('error', () => this.cut())
      caller.on('close', () => {
        this.cut()
        onClose()
      })
    })
  }

  cut(): void {
    this.node.terminate()
    this.caller?.terminate()
  }

  private receive(text: string): void {
    const calls: RpcRequest[] = [JSON.parse(text)].flat()
    const fault = this.source.faultOf(calls)
    if (fault?.kind === 'hanging') return
    if (fault?.kind === 'reset') {
      this.cut()
      return
    }
    for (const { id, method } of calls) this.pending.set(id, { method, fault })
    const [call] = calls
    const translated = calls.length === 1 && call && this.source.staleView?.translate(call)
    if (!translated) this.send(text)
    else if ('request' in translated) this.send(JSON.stringify(translated.request))
    else this.caller?.send(JSON.stringify(translated.response))
  }

  private send(text: string): void {
    if (this.node.readyState === WebSocket.OPEN) this.node.send(text)
    else this.queued.push(text)
  }

  /** Forwards a response or a notification of the node to the caller. */
  private async forward(text: string): Promise<void> {
    const message: JsonRpcReply | JsonRpcReply[] | { method: string } = JSON.parse(text)
    if ('method' in message) {
      if (!this.source.isSilent) this.caller?.send(text)
      return
    }
    const id = [message].flat()[0]?.id
    const { method, fault } = this.pending.get(id) ?? {}
    this.pending.delete(id)
    if (fault?.kind === 'slow') await delay(fault.ms)
    if (!fault || Array.isArray(message)) this.caller?.send(text)
    else this.caller?.send(String(corruptText(fault, JSON.stringify(corrupt(fault, this.censored(message), method)))))
  }

  private censored(response: JsonRpcReply): JsonRpcReply {
    return this.source.staleView?.censor(response) ?? response
  }
}
