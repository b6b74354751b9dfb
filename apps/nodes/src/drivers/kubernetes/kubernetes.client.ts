import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { codeOf } from '@trestle/problem/thrown'
import { type Dispatcher, Pool } from 'undici'
import { DriverUnavailable } from '../driver.js'
import { apiPathOf, apiVersionOf, FIELD_MANAGER, type KubernetesObject, type ObjectKind, type Reference } from './objects.js'

// Seven kinds in one namespace, and six verbs: Kubernetes' own client for Node brings 80 MB and 65 packages for them.

export interface KubernetesAccess {
  readonly url: string
  readonly namespace: string
  /** Read for each request: the kubelet replaces the token before it expires. */
  readonly tokenFile: string
  readonly caFile: string
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: KubernetesObject
}

export interface Conflict {
  readonly field: string
  readonly message: string
}

/** The API server refused, with a Status object. */
export class KubernetesRefusal extends DriverUnavailable {
  constructor(
    readonly status: number,
    message: string,
    readonly conflicts: readonly Conflict[] = [],
  ) {
    super(message)
  }
}

interface Call {
  readonly method: 'GET' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
}

interface Page {
  readonly items?: readonly Pick<KubernetesObject, 'metadata'>[]
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string }
}

interface Status {
  readonly message?: string
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[] }
}

const CONNECTIONS = 32
const TIMEOUT_MS = 15_000
const MAX_BYTES = 32 * 1024 * 1024
const PAGE = 500
/** The server ends a watch after this time and it is reopened, so that a dead connection is noticed. */
const WATCH_SECONDS = 30
const SILENCE_MS = (WATCH_SECONDS + 10) * 1000
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** The API of one cluster, in one namespace. Every failure is a `DriverUnavailable`. */
export class KubernetesClient {
  readonly namespace: string
  private readonly pool: Pool
  private readonly tokenFile: string

  constructor({ url, namespace, tokenFile, caFile }: KubernetesAccess) {
    this.namespace = namespace
    this.tokenFile = tokenFile
    const secure = url.startsWith('https:')
    this.pool = new Pool(new URL(url).origin, {
      connections: CONNECTIONS,
      connect: { timeout: TIMEOUT_MS, ...(secure && { ca: readFileSync(caFile) }) },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: SILENCE_MS,
    })
  }

  async get({ kind, name }: Reference): Promise<KubernetesObject | undefined> {
    const path = apiPathOf(this.namespace, kind, name)
    return (await this.answer<KubernetesObject>({ method: 'GET', path }).catch(undefinedWhere(404))) ?? undefined
  }

  /** All objects of a kind, and the resource version of the list. */
  async list(kind: ObjectKind, labelSelector: string): Promise<{ version: string; objects: KubernetesObject[] }> {
    const objects: KubernetesObject[] = []
    for (let next: string | undefined; ; ) {
      const query = { labelSelector, limit: PAGE, continue: next }
      const page: Page = await this.answer<Page>({ method: 'GET', path: apiPathOf(this.namespace, kind), query })
      // Items of a list have neither kind nor apiVersion.
      objects.push(...(page.items ?? []).map((item) => ({ ...item, kind, apiVersion: apiVersionOf(kind) })))
      next = page.metadata?.continue || undefined
      if (!next) return { version: page.metadata?.resourceVersion ?? '', objects }
    }
  }

  /** Server-side apply: what others have added stays. Rejects where another manager owns a field, unless `force` is on. */
  apply(object: KubernetesObject, { force }: { force: boolean }): Promise<KubernetesObject> {
    const path = apiPathOf(this.namespace, object.kind, object.metadata.name)
    return this.answer<KubernetesObject>({
      method: 'PATCH',
      path,
      query: { fieldManager: FIELD_MANAGER, force: String(force) },
      body: object,
    })
  }

  /** Its dependents go with it. One that is gone already is no error. */
  async remove({ kind, name }: Reference): Promise<void> {
    const path = apiPathOf(this.namespace, kind, name)
    await this.answer({ method: 'DELETE', path, query: { propagationPolicy: 'Background' } }).catch(undefinedWhere(404))
  }

  /** Empty if the container does not exist or has not started yet. */
  async log(pod: string, container: string, lines: number): Promise<string> {
    const path = `${apiPathOf(this.namespace, 'Pod', pod)}/log`
    const query = { container, tailLines: lines, limitBytes: MAX_LOG_BYTES }
    return (await this.text({ method: 'GET', path, query }).catch(undefinedWhere(404, 400))) ?? ''
  }

  /** Events after that version, until the server ends the watch; returns the last version. Rejects with 410 if the server no longer has that version. */
  async watch(kind: ObjectKind, from: WatchStart, listener: (event: WatchEvent) => void): Promise<string> {
    const { labelSelector, version, signal, onOpen } = from
    const query = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: WATCH_SECONDS, labelSelector, resourceVersion: version }
    const response = await this.send({ method: 'GET', path: apiPathOf(this.namespace, kind), query }, signal)
    onOpen?.()
    let last = version
    try {
      for await (const line of linesOf(response.body)) {
        const event: WatchEvent | { type: 'ERROR'; object: Status & { code?: number } } = JSON.parse(line)
        if (event.type === 'ERROR')
          throw new KubernetesRefusal(event.object.code ?? 500, `Kubernetes ended a watch: ${event.object.message}.`)
        last = event.object.metadata.resourceVersion ?? last
        if (event.type !== 'BOOKMARK') listener(event)
      }
    } catch (error) {
      throw unavailable(error)
    }
    return last
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  private async answer<T>(call: Call): Promise<T> {
    return JSON.parse(await this.text(call))
  }

  private async text(call: Call): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { body } = await this.send(call, signal)
    return bounded(body).catch((error) => Promise.reject(unavailable(error, signal)))
  }

  /** Resolves with the response's head; rejects if the status is not 2xx. */
  private async send({ method, path, query = {}, body }: Call, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${await this.token()}`,
      // JSON is YAML.
      ...(body && { 'content-type': 'application/apply-patch+yaml' }),
    }
    const request = { method, path: `${path}?${parameters}`, headers, signal, body: body && JSON.stringify(body) }
    const response = await this.pool.request(request).catch((error) => Promise.reject(unavailable(error, signal)))
    if (response.statusCode < 300) return response
    const text = await bounded(response.body).catch(() => '')
    throw faultOf(response.statusCode, text, body !== undefined && path.includes('/secrets/'))
  }

  private async token(): Promise<string> {
    const token = await readFile(this.tokenFile, 'utf8').catch(() => undefined)
    if (token === undefined) throw new DriverUnavailable('KUBERNETES_TOKEN_FILE cannot be read: there is no token for Kubernetes.')
    return token.trim()
  }
}

export interface WatchStart {
  readonly labelSelector: string
  readonly version: string
  readonly signal: AbortSignal
  /** Called when the watch is open. */
  readonly onOpen?: () => void
}

function faultOf(status: number, text: string, isSecret: boolean): KubernetesRefusal {
  const answer = statusOf(text)
  // An error about a Secret may quote it.
  const message = isSecret ? undefined : answer?.message?.slice(0, 500)
  const causes = answer?.details?.causes?.filter(({ reason }) => reason === 'FieldManagerConflict') ?? []
  const conflicts = causes.map(({ field = '', message: by = '' }) => ({ field, message: by }))
  return new KubernetesRefusal(status, `Kubernetes refused the request (${status})${message ? `: ${message}` : '.'}`, conflicts)
}

function statusOf(text: string): Status | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_BYTES) throw new DriverUnavailable('The answer of Kubernetes is too large.')
    yield* lines.filter((line) => line !== '')
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new DriverUnavailable('The answer of Kubernetes is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

function undefinedWhere(...statuses: number[]) {
  return (error: unknown) => {
    if (error instanceof KubernetesRefusal && statuses.includes(error.status)) return undefined
    throw error
  }
}

// The error itself may contain the request, and with it the token.
function unavailable(error: unknown, signal?: AbortSignal): Error {
  if (error instanceof DriverUnavailable) return error
  if (signal?.aborted) return new DriverUnavailable(`Kubernetes did not answer within ${TIMEOUT_MS / 1000} s.`)
  return new DriverUnavailable(`Kubernetes cannot be reached: ${codeOf(error) ?? 'the connection failed'}.`)
}
