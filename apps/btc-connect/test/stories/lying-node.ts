import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Regtest } from './regtest.js'

interface NodeRequest {
  readonly path: string
  /** Of JSON-RPC. */
  readonly calls: readonly { readonly id: number; readonly method: string; readonly params: readonly unknown[] }[]
}

interface LyingReply {
  readonly status: number
  readonly body: Buffer
}

/** What becomes of an honest answer; nothing at all is a connection that breaks. */
export type Lie = (told: LyingReply, asked: NodeRequest) => LyingReply | undefined | Promise<LyingReply | undefined>

export interface LyingNode {
  readonly url: string
  /** From now on; without one it says what the node says. */
  lie(lie?: Lie): void
  /** How often the present lie was told. */
  lies(): number
  stop(): void
}

/** Stands between the service and the node. */
export async function startLyingNode(node: Pick<Regtest, 'url'>): Promise<LyingNode> {
  let current: Lie | undefined
  let told = 0
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const honest = await forward(`${node.url}${request.url}`, request, body)
    const asked = { path: request.url ?? '', calls: callsOf(body) }
    const lie = current
    const given = lie ? await lie(honest, asked) : honest
    if (given !== honest) told += 1
    if (given) response.writeHead(given.status, { 'content-type': 'application/json', 'content-length': given.body.length }).end(given.body)
    else response.destroy()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie(lie) {
      current = lie
      told = 0
    },
    lies: () => told,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** It is not there. */
export const gone: Lie = () => undefined

/** It takes its time. */
export function slow(millis: number): Lie {
  return async (told) => {
    await pause(millis)
    return told
  }
}

/** Blocks are other bytes than they were, by whichever way they are asked for. */
export function alteringBlocks(change: (raw: Buffer) => Buffer): Lie {
  const inHex = (result: unknown) => (typeof result === 'string' ? change(Buffer.from(result, 'hex')).toString('hex') : result)
  const overRpc = results((method, result, params) => (method === 'getblock' && params[1] === 0 ? inHex(result) : result))
  return (told, asked) => {
    const isBlock = asked.path.startsWith('/rest/block/') && told.status === 200
    return isBlock ? { ...told, body: change(told.body) } : overRpc(told, asked)
  }
}

/** Results of JSON-RPC are others. */
export function results(change: (method: string, result: unknown, params: readonly unknown[]) => unknown): Lie {
  return (told, { calls }) => {
    if (calls.length === 0) return told
    const answers = [JSON.parse(told.body.toString())].flat() as { id: number; result: unknown }[]
    let changed = false
    const others = answers.map((each) => {
      const call = calls.find(({ id }) => id === each.id)
      const result = call ? change(call.method, each.result, call.params) : each.result
      changed ||= result !== each.result
      return { ...each, result }
    })
    if (!changed) return told
    const isBatch = told.body.toString().startsWith('[')
    return { ...told, body: Buffer.from(JSON.stringify(isBatch ? others : others[0])) }
  }
}

/** Every answer to JSON-RPC is this refusal. */
export function refusal(code: number, message: string, only: (method: string) => boolean = () => true): Lie {
  return (told, { path, calls }) => {
    if (calls.length === 0) return path.startsWith('/rest/block/') ? { status: 404, body: Buffer.from(`${message}\r\n`) } : told
    if (!calls.some(({ method }) => only(method))) return told
    const answers = calls.map(({ id, method }) => ({ id, result: null, error: only(method) ? { code, message } : null }))
    return { status: 500, body: Buffer.from(JSON.stringify(answers.length > 1 ? answers : answers[0])) }
  }
}

/** A page of something else, where JSON should be. */
export const page: Lie = (told, { calls }) => (calls.length > 0 ? { status: 200, body: Buffer.from('<html>It works!</html>') } : told)

/** Half of what was to be said. */
export const half: Lie = (told) => ({ ...told, body: told.body.subarray(0, told.body.length / 2) })

async function forward(url: string, { method, headers }: IncomingMessage, body: Buffer): Promise<LyingReply> {
  const { authorization } = headers
  const answer = await fetch(url, {
    method,
    headers: { connection: 'close', ...(authorization && { authorization }) },
    ...(method === 'POST' && { body }),
  })
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
}

function callsOf(body: Buffer): NodeRequest['calls'] {
  return body.length > 0 ? [JSON.parse(body.toString())].flat() : []
}
