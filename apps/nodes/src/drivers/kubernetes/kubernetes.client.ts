import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Dispatcher, Pool } from 'undici'
import { DriverUnavailable } from '../driver.js'
import { apiVersionOf, FIELD_MANAGER, type Kind, type KubernetesObject, pathOf, type Reference } from './objects.js'

// Seven kinds in one namespace, and six verbs: Kubernetes' own client for Node brings 80 MB and 65 packages for them.

export interface KubernetesAccess {
  readonly url: string
  readonly namespace: string
  /** Its content changes: the kubelet puts a new token there before the old one ends. */
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

/** The answer of an API server that refuses: a Status object. */
export class KubernetesFault extends DriverUnavailable {
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
  readonly items?: readonly Omit<KubernetesObject, 'kind' | 'apiVersion'>[]
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
/** After so long the server ends a watch, which then goes on where it was: a connection that has died unheard lives no longer. */
const WATCH_SECONDS = 30
const SILENCE_MS = (WATCH_SECONDS + 10) * 1000
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** Speaks with the API server of one cluster about one namespace. Whatever goes wrong is a `DriverUnavailable`. */
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
    const path = pathOf(this.namespace, kind, name)
    return (await this.answer<KubernetesObject>({ method: 'GET', path }).catch(undefinedWhere(404))) ?? undefined
  }

  /** All of a kind, and the version of the world that they are of. */
  async list(kind: Kind, labelSelector: string): Promise<{ version: string; objects: KubernetesObject[] }> {
    const objects: KubernetesObject[] = []
    for (let next: string | undefined; ; ) {
      const query = { labelSelector, limit: PAGE, continue: next }
      const page: Page = await this.answer<Page>({ method: 'GET', path: pathOf(this.namespace, kind), query })
      // The items of a list do not say what they are.
      objects.push(...(page.items ?? []).map((item) => ({ ...item, kind, apiVersion: apiVersionOf(kind) }) as KubernetesObject))
      next = page.metadata?.continue || undefined
      if (!next) return { version: page.metadata?.resourceVersion ?? '', objects }
    }
  }

  /** Makes its fields so by server-side apply; what others have added stays. Rejects where another manager holds one, unless `force` is on. */
  apply(object: KubernetesObject, { force }: { force: boolean }): Promise<KubernetesObject> {
    const path = pathOf(this.namespace, object.kind, object.metadata.name)
    return this.answer<KubernetesObject>({
      method: 'PATCH',
      path,
      query: { fieldManager: FIELD_MANAGER, force: String(force) },
      body: object,
    })
  }

  /** What hangs on it goes with it. That it is gone already is all right. */
  async remove({ kind, name }: Reference): Promise<void> {
    const path = pathOf(this.namespace, kind, name)
    await this.answer({ method: 'DELETE', path, query: { propagationPolicy: 'Background' } }).catch(undefinedWhere(404))
  }

  /** Of a container; empty where there is none, or it has not started yet. */
  async log(pod: string, container: string, lines: number): Promise<string> {
    const path = `${pathOf(this.namespace, 'Pod', pod)}/log`
    const query = { container, tailLines: lines, limitBytes: MAX_LOG_BYTES }
    return (await this.text({ method: 'GET', path, query }).catch(undefinedWhere(404, 400))) ?? ''
  }

  /** Tells what happens after that version, until the server has enough; the answer is the version it came to. 410: it remembers no longer. */
  async watch(kind: Kind, from: WatchStart, listener: (event: WatchEvent) => void): Promise<string> {
    const { labelSelector, version, signal, onOpen } = from
    const query = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: WATCH_SECONDS, labelSelector, resourceVersion: version }
    const response = await this.send({ method: 'GET', path: pathOf(this.namespace, kind), query }, signal)
    onOpen?.()
    let last = version
    try {
      for await (const line of linesOf(response.body)) {
        const event = JSON.parse(line) as WatchEvent | { type: 'ERROR'; object: Status & { code?: number } }
        if (event.type === 'ERROR')
          throw new KubernetesFault(event.object.code ?? 500, `Kubernetes ended a watch: ${event.object.message}.`)
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
    return JSON.parse(await this.text(call)) as T
  }

  private async text(call: Call): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { body } = await this.send(call, signal)
    return bounded(body).catch((error) => Promise.reject(unavailable(error, signal)))
  }

  /** The answer's head; rejects where it is a refusal. */
  private async send({ method, path, query = {}, body }: Call, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${await this.token()}`,
      // YAML, of which JSON is a part.
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
    if (token === undefined) throw new DriverUnavailable('There is no token for Kubernetes: KUBERNETES_TOKEN_FILE cannot be read.')
    return token.trim()
  }
}

export interface WatchStart {
  readonly labelSelector: string
  readonly version: string
  readonly signal: AbortSignal
  /** Called when the server has begun to tell. */
  readonly onOpen?: () => void
}

function faultOf(status: number, text: string, isSecret: boolean): KubernetesFault {
  const answer = statusOf(text)
  // What is wrong with a Secret that was sent may quote it.
  const message = isSecret ? undefined : answer?.message?.slice(0, 500)
  const causes = answer?.details?.causes?.filter(({ reason }) => reason === 'FieldManagerConflict') ?? []
  const conflicts = causes.map(({ field = '', message: by = '' }) => ({ field, message: by }))
  return new KubernetesFault(status, `Kubernetes refuses (${status})${message ? `: ${message}` : '.'}`, conflicts)
}

function statusOf(text: string): Status | undefined {
  try {
    return JSON.parse(text) as Status
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
    if (rest.length > MAX_BYTES) throw new DriverUnavailable('Kubernetes sent too much.')
    yield* lines.filter((line) => line !== '')
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new DriverUnavailable('Kubernetes sent too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

function undefinedWhere(...statuses: number[]) {
  return (error: unknown) => {
    if (error instanceof KubernetesFault && statuses.includes(error.status)) return undefined
    throw error
  }
}

// The error itself may hold the request, and with it the token.
function unavailable(error: unknown, signal?: AbortSignal): Error {
  if (error instanceof DriverUnavailable) return error
  if (signal?.aborted) return new DriverUnavailable(`Kubernetes did not answer within ${TIMEOUT_MS / 1000} s.`)
  return new DriverUnavailable(`Kubernetes cannot be reached: ${(error as NodeJS.ErrnoException).code ?? 'the connection failed'}.`)
}
