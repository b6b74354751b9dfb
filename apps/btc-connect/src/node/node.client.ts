import { readFile } from 'node:fs/promises'
import { Inject, Injectable } from '@nestjs/common'
import { codeOf, messageOf } from '@trestle/problem/thrown'
import { type Dispatcher, Pool } from 'undici'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { decodeReplies, encodeCalls, type NodeReplies, type NodeRpcCall } from './json-rpc.js'
import { NodeRefusal, NodeUnreachable } from './node-errors.js'

interface CallLimits {
  /** From the first byte of the request to the last byte of the response. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

// The node runs four calls at a time by default (-rpcthreads) and queues the others.
const CONNECTIONS = 8
const CONNECT_MS = 3_000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

interface NodeRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly authorization?: string
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** JSON-RPC and REST of the chain's node. No error contains its credentials. */
@Injectable()
export class NodeClient {
  private readonly pool: Pool
  private readonly path: string
  private readonly basicAuth: string | undefined
  private readonly cookieFile: string | undefined
  private authorization?: Promise<string | undefined>

  constructor(@Inject(ENV) { NODE_URL, NODE_COOKIE_FILE }: Pick<BtcConnectEnv, 'NODE_URL' | 'NODE_COOKIE_FILE'>) {
    const { origin, pathname, username, password } = new URL(NODE_URL)
    this.pool = new Pool(origin, { connections: CONNECTIONS, connect: { timeout: CONNECT_MS } })
    this.path = pathname
    this.basicAuth = username ? basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`) : undefined
    this.cookieFile = NODE_COOKIE_FILE
  }

  /** Makes one call; throws a refusal. */
  async call<T>(question: NodeRpcCall<T>, limits: CallLimits = {}): Promise<T> {
    const [answer] = await this.callAll([question], limits)
    if (answer instanceof NodeRefusal) throw answer
    return answer
  }

  /** Makes several calls in one batch; a refusal takes the place of a result. */
  async callAll<const Q extends readonly NodeRpcCall[]>(questions: Q, limits: CallLimits = {}): Promise<NodeReplies<Q>> {
    if (questions.length === 0) return [] as unknown as NodeReplies<Q>
    const body = encodeCalls(questions)
    let answer = await this.post(body, limits)
    if (answer.status === 401 && this.cookieFile) {
      // A restarted node has a new cookie.
      this.authorization = undefined
      answer = await this.post(body, limits)
    }
    if (answer.status === 401 || answer.status === 403) throw new NodeUnreachable('The node refuses our credentials.')
    return decodeReplies(questions, answer.body)
  }

  /** Reads from the REST interface, which needs no credentials; throws a refusal where there is nothing. */
  async rest(path: string, limits: CallLimits = {}): Promise<Buffer> {
    const { status, body } = await this.send({ method: 'GET', path: `/rest${path}` }, limits)
    if (status === 200) return body
    // 503 means that it is starting up.
    if (status >= 500) throw new NodeUnreachable(`The node's REST interface responded with ${status}.`)
    throw new NodeRefusal(status, body.subarray(0, 200).toString().trim())
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  private async post(body: string, limits: CallLimits): Promise<Answer> {
    this.authorization ??= this.basicAuth ? Promise.resolve(this.basicAuth) : this.readCookie()
    return this.send({ method: 'POST', path: this.path, authorization: await this.authorization, body }, limits)
  }

  private async readCookie(): Promise<string | undefined> {
    if (!this.cookieFile) return undefined
    try {
      return basic((await readFile(this.cookieFile, 'utf8')).trim())
    } catch (error) {
      this.authorization = undefined
      throw new NodeUnreachable(`The node's cookie file cannot be read: ${codeOf(error)}.`)
    }
  }

  private async send({ authorization, ...request }: NodeRequest, limits: CallLimits): Promise<Answer> {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = limits
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = limits.signal ? AbortSignal.any([limits.signal, deadline]) : deadline
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    try {
      const { statusCode, body } = await this.pool.request({ ...request, headers, signal })
      return { status: statusCode, body: await bounded(body, maxBytes) }
    } catch (error) {
      if (error instanceof NodeUnreachable || limits.signal?.aborted) throw error
      if (deadline.aborted) throw new NodeUnreachable(`The node did not respond within ${timeoutMs / 1000} s.`)
      // The error itself may contain the request, and with it the credentials.
      throw new NodeUnreachable(`The node cannot be reached: ${codeOf(error) ?? messageOf(error)}.`)
    }
  }
}

/** The whole body, or an error as soon as it exceeds the limit. */
async function bounded(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new NodeUnreachable(`The node sent more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}
