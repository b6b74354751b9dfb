import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiRefusal, FakeStore, type Happening, isTree, type Stored, same, type Tree } from './fake-store.js'

/** What happens to a request instead of or before its answer. */
export type ApiFault = { readonly status: number; readonly retryAfter?: number } | { readonly delayMs: number } | 'drop'

interface Call {
  readonly method: string
  readonly collection: string
  readonly name?: string
  readonly subresource?: string
  readonly query: URLSearchParams
  readonly type: string
  readonly body: Stored
}

const WORDS: Record<number, string> = { 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable' }
const VERBS: Record<string, string> = { GET: 'get', PATCH: 'patch', POST: 'create', DELETE: 'delete' }
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const CHANGEABLE = ['replicas', 'template', 'updateStrategy']

/** As much of an API server as the driver needs, with faults on demand. The same suite runs against a real one, which shows that this one is right. */
export class FakeApiServer {
  readonly store = new FakeStore()
  /** The fault of a request with the restricted token. */
  fault: (method: string, path: string) => ApiFault | undefined = () => undefined
  /** Method and path of the requests with the restricted token. */
  readonly asked: string[] = []
  /** How many of them were watches, which are reopened whenever they end. */
  watchesAsked = 0
  private readonly watches = new Set<ServerResponse>()

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeApiServer> {
    const server = createServer()
    const fake = new FakeApiServer(server)
    server.on('request', (request, response) => void fake.serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  dropWatches(): void {
    for (const response of this.watches) response.destroy()
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    const path = (request.url ?? '').replace(/\?.*/, '')
    try {
      if (token !== 'admin' && token !== 'restricted') throw new ApiRefusal(401, 'Unauthorized', 'Unauthorized')
      const call = await callOf(request)
      if (token === 'restricted') {
        this.asked.push(`${call.method} ${path}`)
        if (call.query.get('watch') === 'true') this.watchesAsked++
        if (await this.inject(this.fault(call.method, path), response)) return
        this.authorize(call)
      }
      if (call.query.get('watch') === 'true') this.watch(call, response)
      else await this.answer(call, response)
    } catch (error) {
      refuse(response, error)
    }
  }

  /** Whether the fault was the answer. */
  private async inject(fault: ApiFault | undefined, response: ServerResponse): Promise<boolean> {
    if (!fault) return false
    if (fault === 'drop') response.destroy()
    else if ('delayMs' in fault) {
      await delay(fault.delayMs)
      return false
    } else {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      refuse(response, new ApiRefusal(fault.status, WORDS[fault.status] ?? 'Unknown', 'a fault of the test'))
    }
    return true
  }

  /** The restricted token may do what the existing Roles allow. */
  private authorize({ method, collection, name, subresource, query }: Call): void {
    const [, group = '', namespace, resource = ''] = /^\/(?:api|apis\/([^/]+))\/[^/]+\/namespaces\/([^/]+)\/([^/]+)$/.exec(collection) ?? []
    const reading = name ? 'get' : query.get('watch') === 'true' ? 'watch' : 'list'
    const verb = method === 'GET' ? reading : (VERBS[method] ?? '')
    const target = subresource ? `${resource}/${subresource}` : resource
    type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] }
    const rules = this.store
      .list(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`)
      .flatMap((role) => role.rules as unknown as Rule[])
    const isAllowed = rules.some((rule) => rule.apiGroups.includes(group) && rule.resources.includes(target) && rule.verbs.includes(verb))
    if (!isAllowed) throw new ApiRefusal(403, 'Forbidden', `User "restricted" cannot ${verb} resource "${target}" in API group "${group}"`)
  }

  private async answer(call: Call, response: ServerResponse): Promise<void> {
    const { method, collection, name, subresource, body } = call
    if (method === 'GET') return name ? this.read(call, response) : this.list(call, response)
    if (method === 'DELETE' && name) return this.remove(collection, name, body, response)
    if (method === 'POST' && subresource === 'binding' && name)
      return json(response, 201, this.store.merge(collection, name, { spec: { nodeName: (body.target as Tree).name } }))
    check(body, this.store.get(collection, name ?? body.metadata.name))
    if (method === 'POST') return this.create(collection, body, response)
    if (call.type === 'application/apply-patch+yaml') {
      const options = { manager: call.query.get('fieldManager') ?? '', force: call.query.get('force') === 'true' }
      const { object, isNew } = this.store.apply(collection, body, options)
      return json(response, isNew ? 201 : 200, object)
    }
    const manager = subresource ? undefined : (call.query.get('fieldManager') ?? 'unknown')
    json(response, 200, this.store.merge(collection, name ?? '', body, manager))
  }

  private read({ collection, name = '', subresource, query }: Call, response: ServerResponse): void {
    const found = this.store.get(collection, name)
    if (!found) throw new ApiRefusal(404, 'NotFound', `"${name}" not found`)
    // The fake's own log.
    const lines = ['a log begins', 'it goes on', 'and ends here'].slice(-Number(query.get('tailLines') ?? 1e9))
    if (subresource === 'log') response.writeHead(200, { 'content-type': 'text/plain' }).end(lines.join('\n'))
    else json(response, 200, found)
  }

  private list({ collection, query }: Call, response: ServerResponse): void {
    const all = this.store.list(collection).filter((object) => selects(query, object))
    const from = Number(query.get('continue') ?? 0)
    const to = from + Number(query.get('limit') ?? all.length)
    const metadata = { resourceVersion: String(this.store.now), ...(to < all.length && { continue: String(to) }) }
    json(response, 200, { metadata, items: all.slice(from, to).map(({ kind, apiVersion, ...item }) => item) })
  }

  private create(collection: string, body: Stored, response: ServerResponse): void {
    if (this.store.get(collection, body.metadata.name)) throw new ApiRefusal(409, 'AlreadyExists', `${body.metadata.name} already exists`)
    json(response, 201, this.store.save(collection, body))
  }

  /** A pod that is bound to a node goes when its kubelet says so. */
  private remove(collection: string, name: string, body: Tree, response: ServerResponse): void {
    const found = this.store.get(collection, name)
    if (!found) throw new ApiRefusal(404, 'NotFound', `"${name}" not found`)
    const isBound = collection.endsWith('/pods') && isTree(found.spec) && found.spec.nodeName !== undefined
    if (isBound && body?.gracePeriodSeconds !== 0)
      this.store.merge(collection, name, { metadata: { name, deletionTimestamp: '2026-01-01T00:00:00Z' } })
    else this.store.drop(collection, name)
    json(response, 200, { kind: 'Status', status: 'Success' })
  }

  private watch({ collection, query }: Call, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion'))
    response.writeHead(200, { 'content-type': 'application/json' })
    const send = (type: string, object: object) => response.write(`${JSON.stringify({ type, object })}\n`)
    if (from < this.store.forgotten) {
      send('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: `too old resource version: ${from}` })
      response.end()
      return
    }
    const notify = ({ version, collection: where, type, object }: Happening) => {
      if (version > from && where === collection && selects(query, object)) send(type, object)
    }
    for (const happening of this.store.happenings) notify(happening)
    const stop = this.store.onHappening(notify)
    const end = setTimeout(() => response.end(), Number(query.get('timeoutSeconds')) * 1000)
    this.watches.add(response)
    response.flushHeaders()
    response.on('close', () => {
      stop()
      clearTimeout(end)
      this.watches.delete(response)
    })
  }
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://fake')
  const [, collection = pathname, name, subresource] =
    /^(\/(?:api|apis\/[^/]+)\/v1(?:\/namespaces\/[^/]+(?=\/))?\/[^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(pathname) ?? []
  let text = ''
  for await (const chunk of request) text += chunk
  const body = (text ? JSON.parse(text) : { metadata: {} }) as Stored
  return { method: request.method ?? '', collection, name, subresource, query, type: request.headers['content-type'] ?? '', body }
}

// The three validation rules that matter to the driver.
function check(body: Stored, there?: Stored): void {
  const invalid = (message: string) => new ApiRefusal(422, 'Invalid', message)
  const name = body.metadata?.name ?? there?.metadata.name
  if (!name || !NAME.test(String(name))) throw invalid(`metadata.name: Invalid value: "${name}"`)
  if (!there || !isTree(there.spec) || !isTree(body.spec)) return
  if (body.kind === 'StatefulSet')
    for (const [member, value] of Object.entries(body.spec))
      if (!CHANGEABLE.includes(member) && !same(there.spec[member], value))
        throw invalid('updates to statefulset spec for fields other than those that may change are forbidden')
  if (body.kind === 'PersistentVolumeClaim' && gib(body) < gib(there)) throw invalid('field can not be less than previous value')
}

function gib({ spec }: Stored): number {
  const { resources } = spec as { resources: { requests: { storage: string } } }
  return Number.parseInt(resources.requests.storage, 10) * (resources.requests.storage.endsWith('Ti') ? 1024 : 1)
}

function selects(query: URLSearchParams, { metadata }: Stored): boolean {
  const labels = (query.get('labelSelector') ?? '').split(',').filter((each) => each !== '')
  return labels.every((each) => {
    const [name = '', value] = each.split('=')
    return metadata.labels?.[name] === value
  })
}

function refuse(response: ServerResponse, error: unknown): void {
  const { code, reason, message, causes } = error instanceof ApiRefusal ? error : new ApiRefusal(500, 'InternalError', String(error))
  json(response, code, { kind: 'Status', status: 'Failure', code, reason, message, details: { causes } })
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
