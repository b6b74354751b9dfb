import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { ProfileStore } from '../src/profiles/profile-store.js'
import { runProgram } from '../src/program.js'

const STUB_NOW = '2026-11-22T12:00:00.000Z'

interface StubReply {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

interface RunResult {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
  /** The requests of this run: method, path with query, and body. */
  readonly requests: readonly string[]
}

interface RunOptions {
  /** None: the login of the profile. */
  readonly token?: string
  readonly stdin?: string
  /** At a terminal: what is typed at each prompt. */
  readonly typed?: readonly string[]
  /** Instead of this platform. */
  readonly url?: string
  /** Where programs are searched. */
  readonly path?: readonly string[]
  /** Of the environment. */
  readonly organization?: string
}

/** A platform of canned replies, and the program run against it without a terminal. */
export class StubPlatform {
  readonly folder = mkdtempSync(join(tmpdir(), 'trestle-cli-'))
  readonly store = new ProfileStore(this.folder)
  private readonly replies = new Map<string, StubReply[]>()
  private requests: string[] = []
  /** The organizations that the requests of the last run named. */
  organizations: (string | undefined)[] = []
  /** And the quorums that they asked for. */
  quorums: (string | undefined)[] = []
  private readonly server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers: sent } = request
    this.organizations.push(sent['trestle-organization']?.toString())
    this.quorums.push(sent['trestle-quorum']?.toString())
    const text = Buffer.concat(chunks).toString()
    this.requests.push(`${method} ${url}${text && ` ${text}`}`)
    const { status = 200, body, headers } = this.nextReply(`${method} ${url.replace(/\?.*/, '')}`)
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json', ...headers })
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
  })

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The replies to `GET /path`, in turn; the last one stays. */
  on(route: string, ...replies: StubReply[]): this {
    this.replies.set(route, replies)
    return this
  }

  async run(
    line: string,
    { token = 'a-token', stdin = '', typed, path = [], url = this.url, organization }: RunOptions = {},
  ): Promise<RunResult> {
    this.requests = []
    this.organizations = []
    this.quorums = []
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    if (typed) typeAtPrompts(streams, typed)
    else streams.stdin.end(stdin)
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      streams[name].on('data', (text) => {
        texts[name] += text
      })
    const argv = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
    const env = { url, token: token || undefined, organization, folder: this.folder, isColourless: true, path, inherited: {} }
    const { signal } = new AbortController()
    const now = () => new Date(STUB_NOW)
    const exit = await runProgram({ argv, env, version: '1.2.3', ...streams, fetch: globalThis.fetch, signal, now })
    return { exit, ...texts, requests: this.requests }
  }

  private nextReply(route: string): StubReply {
    const [first, ...rest] = this.replies.get(route) ?? []
    if (rest.length > 0) this.replies.set(route, rest)
    return first ?? problem(404, 'NotFound', `There is no ${route}.`)
  }
}

/** Makes the streams a terminal, at which each prompt is answered with the next line. */
function typeAtPrompts({ stdin, stderr }: Record<'stdin' | 'stderr', PassThrough>, typed: readonly string[]): void {
  for (const stream of [stdin, stderr]) Object.assign(stream, { isTTY: true })
  const left = [...typed]
  stderr.on('data', (text) => {
    if (/: $/.test(String(text))) setImmediate(() => stdin.write(`${left.shift() ?? ''}\n`))
  })
}

export function problem(status: number, code: string, detail: string, more: object = {}): StubReply {
  return { status, body: { code, detail, status, ...more }, headers: { 'x-request-id': 'request-1' } }
}
