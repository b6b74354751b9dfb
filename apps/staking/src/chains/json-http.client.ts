import { createHash } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import { codeOf } from '@trestle/problem/thrown'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import { UpstreamError, UpstreamUnavailable } from './upstream-errors.js'
import type { JsonResponse } from './upstream-json.js'

export interface JsonRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** With its query; appended to the path of the URL. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** From the first byte sent to the last byte received. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

const CONNECTIONS = 8
const CONNECT_MS = 3_000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 1024 * 1024

/** JSON over HTTP with a limit for size and time. Errors contain `name` instead of the URL. */
export class JsonHttpClient {
  private readonly pool: Pool
  private readonly base: string
  private readonly authorization: { authorization?: string }

  /** `onServerKey` is given the SHA-256 of the public key in the certificate of each TLS connection, and may refuse it by throwing. */
  constructor(
    url: string,
    readonly name: string,
    onServerKey?: (fingerprint: string) => void,
  ) {
    const { origin, pathname, username, password } = new URL(url)
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.authorization = username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}
    this.base = pathname.replace(/\/+$/, '')
    this.pool = new Pool(origin, { connections: CONNECTIONS, connect: onServerKey ? checked(onServerKey) : { timeout: CONNECT_MS } })
  }

  /** Resolves whatever the status is; the text may be anything. */
  async request({
    method = 'GET',
    path,
    body,
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
    ...given
  }: JsonRequest): Promise<JsonResponse> {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...this.authorization,
      ...given.headers,
    }
    const request = {
      method,
      path: `${this.base}${path}` || '/',
      headers,
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    try {
      const answer = await this.pool.request(request)
      return { status: answer.statusCode, text: await this.readBounded(answer.body, maxBytes) }
    } catch (error) {
      if (error instanceof UpstreamUnavailable) throw error
      if (signal.aborted) throw new UpstreamUnavailable(`${this.name} did not answer within ${timeoutMs / 1000} s.`)
      // The error itself may contain the request, and so a token.
      throw new UpstreamUnavailable(`${this.name} cannot be reached: ${codeOf(error) ?? 'the connection failed'}.`)
    }
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  /** The whole body, or an error as soon as it is too long. */
  private async readBounded(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw new UpstreamUnavailable(`${this.name} sent more than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size).toString()
  }
}

/** A resumed session would show no certificate. */
function checked(onServerKey: (fingerprint: string) => void): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, maxCachedSessions: 0 })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return error && callback(error, null)
      const refusal = socket instanceof TLSSocket ? refusalOf(() => onServerKey(serverKeyOf(socket))) : undefined
      if (!refusal) return callback(null, socket)
      socket.destroy()
      callback(refusal, null)
    })
}

function refusalOf(check: () => void): Error | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function serverKeyOf(socket: TLSSocket): string {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256')
    .update(key ?? '')
    .digest('hex')
}

/** The first answer. If there is none: the first failure to answer, or else the first refusal. */
export async function firstOf<N, T>(nodes: readonly N[], kind: string, question: (node: N) => Promise<T>): Promise<T> {
  let failure: UpstreamError = new UpstreamUnavailable(`No ${kind} node is configured.`)
  let isAway = false
  for (const node of nodes) {
    try {
      return await question(node)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (!isAway) failure = error
      isAway ||= error instanceof UpstreamUnavailable
    }
  }
  throw failure
}
