import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { RpcErrorObject } from '../../src/framing/rpc-error.js'

export interface ReceivedCall {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
  readonly headers: IncomingHttpHeaders
  readonly url: string
}

type Script = (call: ReceivedCall, response: ServerResponse) => void

/** A node that does as it is told. */
export class ScriptedNode {
  readonly received: ReceivedCall[] = []
  /** Requests that were broken off before they were answered. */
  brokenOff = 0
  private readonly server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as ReceivedCall
    const call = { id, method, params, headers: request.headers, url: request.url ?? '' }
    this.received.push(call)
    response.on('close', () => {
      if (!response.writableFinished) this.brokenOff++
    })
    this.script(call, response)
  })

  private constructor(public script: Script) {}

  static async start(script: Script = says('0x1')): Promise<ScriptedNode> {
    const node = new ScriptedNode(script)
    node.server.listen(0, '127.0.0.1')
    await once(node.server, 'listening')
    return node
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
  }

  /** Those who are connected stay so; nobody else is let in. */
  letNobodyIn(): void {
    this.server.close()
  }

  stop(): void {
    this.letNobodyIn()
    this.server.closeAllConnections()
  }
}

/** Answers with this result, after so long. */
export function says(result: unknown, afterMs = 0): Script {
  return (_, response) => {
    const body = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(result)}}`
    if (afterMs === 0) response.end(body)
    else setTimeout(() => response.end(body), afterMs)
  }
}

export function refuses(error: RpcErrorObject): Script {
  return (_, response) => response.end(`{"jsonrpc":"2.0","id":1,"error":${JSON.stringify(error)}}`)
}

/** Answers with these bytes and no more. */
export function sends(body: string, status = 200, headers: Record<string, string> = {}): Script {
  return (_, response) => response.writeHead(status, headers).end(body)
}

export function hangs(): Script {
  return () => undefined
}

/** Closes the connection in the middle of its answer. */
export function breaksOff(): Script {
  return (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{"jsonrpc"', () => response.destroy())
}

/** Closes the connection instead of an answer. */
export function closes(): Script {
  return (_, response) => {
    response.destroy()
  }
}

/** Takes the scripts in turn, and the last for good. */
export function inTurn(...scripts: readonly Script[]): Script {
  let next = 0
  return (call, response) => scripts[Math.min(next++, scripts.length - 1)]?.(call, response)
}
