import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { corrupt, corruptText, type Fault, type RpcRequest, type RpcResponse } from './faults.js'
import type { StaleView } from './stale-view.js'

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
}

/** What decides about faults. */
interface Script {
  readonly staleView: StaleView | undefined
  /** Says nothing by itself: it hangs, or knows of nothing new. */
  readonly isSilent: boolean
  faultOf(calls: readonly RpcRequest[]): Fault | undefined
}

interface Asked {
  readonly method?: string
  readonly fault?: Fault
}

const doors = new WebSocketServer({ noServer: true })

/** A WebSocket to a node, with somebody in between. */
export class FaultySocket {
  private readonly node: WebSocket
  private caller?: WebSocket
  private readonly early: string[] = []
  private readonly asked = new Map<unknown, Asked>()

  constructor(
    private readonly script: Script,
    url: string,
  ) {
    this.node = new WebSocket(url, { perMessageDeflate: false })
    this.node.on('open', () => {
      for (const message of this.early.splice(0)) this.node.send(message)
    })
    this.node.on('message', (text) => void this.pass(String(text)))
    this.node.on('error', () => this.cut())
    this.node.on('close', () => this.cut())
  }

  accept({ request, socket, head }: Upgrade, onClose: () => void): void {
    doors.handleUpgrade(request, socket, head, (caller) => {
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
    const calls = [JSON.parse(text) as RpcRequest | RpcRequest[]].flat()
    const fault = this.script.faultOf(calls)
    if (fault?.kind === 'hanging') return
    if (fault?.kind === 'reset') {
      this.cut()
      return
    }
    for (const { id, method } of calls) this.asked.set(id, { method, fault })
    const [call] = calls
    const question = calls.length === 1 && call && this.script.staleView?.translate(call)
    if (!question) this.send(text)
    else if ('ask' in question) this.send(JSON.stringify(question.ask))
    else this.caller?.send(JSON.stringify(question.answer))
  }

  private send(text: string): void {
    if (this.node.readyState === WebSocket.OPEN) this.node.send(text)
    else this.early.push(text)
  }

  /** An answer or an event of the node, as the caller is to have it. */
  private async pass(text: string): Promise<void> {
    const message = JSON.parse(text) as RpcResponse | RpcResponse[] | RpcRequest
    if ('method' in message) {
      if (!this.script.isSilent) this.caller?.send(text)
      return
    }
    const { id } = [message as RpcResponse].flat()[0] ?? {}
    const { method, fault } = this.asked.get(id) ?? {}
    this.asked.delete(id)
    if (fault?.kind === 'slow') await delay(fault.ms)
    if (!fault || Array.isArray(message)) this.caller?.send(text)
    else this.caller?.send(String(corruptText(fault, JSON.stringify(corrupt(fault, this.seen(message as RpcResponse), method)))))
  }

  private seen(answer: RpcResponse): RpcResponse {
    return this.script.staleView?.censor(answer) ?? answer
  }
}
