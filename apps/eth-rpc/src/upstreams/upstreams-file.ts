import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { providedNodes } from './providers/provider-url.js'
import { contentOf, type ReferenceSource, resolveReference } from './secret-reference.js'
import {
  type BudgetTerms,
  checkNames,
  HTTP,
  parseUpstreams,
  parseUrl,
  type UpstreamConfig,
  type UpstreamsContext,
  type UpstreamTls,
  upstreamsOfProvider,
  WEB_SOCKET,
} from './upstream-config.js'
import { BudgetReference, RIGHT_MEMBERS, UnitsPerMonth, UpstreamEntry } from './upstream-entry.js'

const MAX_UPSTREAMS = 200
const FORM = `must have one member, upstreams: a list of 1 to ${MAX_UPSTREAMS} upstreams, and may have budgets: names with units a month`
const NO_PROXY = 'none'

type FileSource = ReferenceSource & UpstreamsContext

const Budgets = z.record(BudgetReference, UnitsPerMonth)
type Budgets = z.output<typeof Budgets>
const UpstreamsFile = z.strictObject({ upstreams: z.array(z.unknown()).min(1).max(MAX_UPSTREAMS), budgets: Budgets.default({}) })
const Named = z.looseObject({ name: UpstreamEntry.shape.name })

/** Reads an `upstreams.yaml`. Errors name the upstream and the member, and no value. */
export function parseUpstreamsFile(text: string, source: FileSource): UpstreamConfig[] {
  const content = yamlOf(text)
  // What `UPSTREAMS` would be, as a mounted secret has it.
  if (typeof content === 'string') return parseUpstreams(content, source)
  const file = UpstreamsFile.safeParse(content)
  if (!file.success) throw new Error(FORM)
  const { upstreams: entries, budgets } = file.data
  const upstreams = entries.flatMap((entry, index) => new EntryReader(labelOf(entry, index), source, budgets).read(entry))
  checkNames(upstreams)
  return upstreams
}

/** The parser's own messages quote the text, which may be a secret. */
function yamlOf(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error) throw new Error(`is no YAML at line ${lineCounter.linePos(error.pos[0]).line} (${error.code})`)
  try {
    return document.toJS()
  } catch {
    throw new Error('is no YAML: it has aliases without an anchor, or too many')
  }
}

function labelOf(entry: unknown, index: number): string {
  const named = Named.safeParse(entry)
  return named.success ? `upstream "${named.data.name}"` : `upstream ${index + 1}`
}

type Member = keyof typeof RIGHT_MEMBERS

/** Reads one entry; its errors begin with the label. */
class EntryReader {
  constructor(
    private readonly label: string,
    private readonly source: FileSource,
    private readonly budgets: Budgets,
  ) {}

  read(given: unknown): UpstreamConfig[] {
    const {
      url: address,
      webSocketUrl,
      priority,
      budget,
      headers,
      bearer,
      basic,
      tls,
      proxy = this.source.proxy ?? NO_PROXY,
      ...rest
    } = this.parse(given)
    const resolved = this.resolve('url', address)
    const provided = this.attempt('url', () => providedNodes(resolved, this.source.chainId))
    const url = provided ? '' : this.url('url', resolved, HTTP)
    const sent = this.sent(url, { headers, bearer, basic })
    const config: UpstreamConfig = {
      ...rest,
      url,
      priority: priority ?? provided?.priority ?? 0,
      ...(budget !== undefined && { budget: this.budget(rest.name, budget) }),
      ...(webSocketUrl !== undefined && { webSocketUrl: this.url('webSocketUrl', webSocketUrl, WEB_SOCKET) }),
      ...(tls && { tls: this.tls(tls) }),
      ...(proxy !== NO_PROXY && { proxy: this.url('proxy', proxy, HTTP) }),
      ...(Object.keys(sent).length > 0 && { headers: sent }),
    }
    // What comes over a provider's WebSocket is paid for too, also while nobody asks.
    const endpoints = provided?.endpoints.map(({ url, webSocketUrl }) => (budget === undefined ? { url, webSocketUrl } : { url }))
    return endpoints ? upstreamsOfProvider({ endpoints }, config) : [config]
  }

  private budget(name: string, given: number | string): BudgetTerms {
    if (typeof given === 'number') return { name, perMonth: given }
    const { [given]: perMonth } = this.budgets
    return perMonth === undefined ? this.refuse('budget') : { name: given, perMonth }
  }

  private sent(url: string, { headers, bearer, basic }: Pick<UpstreamEntry, 'headers' | 'bearer' | 'basic'>): Record<string, string> {
    const others = this.headers(headers)
    const { username, password } = URL.parse(url) ?? {}
    const ways = [bearer, basic, others.authorization, username || password || undefined].filter((way) => way !== undefined)
    if (ways.length > 1) throw this.error('must have one of bearer, basic, a header Authorization, and a user in url')
    return { ...others, ...this.authorization(bearer, basic) }
  }

  private parse(given: unknown): UpstreamEntry {
    const parsed = UpstreamEntry.safeParse(given)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const member = memberOf(issue?.path[0])
    if (member) throw this.wrong(member)
    const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : []
    const members = Object.keys(RIGHT_MEMBERS).join(', ')
    throw this.error(unknown === undefined ? `must have the members ${members}` : `has no member "${unknown}": it may have ${members}`)
  }

  private url(member: Member, given: string, protocols: RegExp): string {
    return parseUrl(this.resolve(member, given), protocols) ?? this.refuse(member)
  }

  private headers(given: UpstreamEntry['headers'] = {}): Record<string, string> {
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), this.header('headers', value)]))
  }

  private authorization(bearer: string | undefined, basic: UpstreamEntry['basic']): Record<string, string> {
    if (bearer !== undefined) return { authorization: `Bearer ${this.header('bearer', bearer)}` }
    if (!basic) return {}
    const [user, password] = [this.resolve('basic', basic.user), this.resolve('basic', basic.password)]
    if (user.includes(':')) throw this.wrong('basic')
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  }

  private tls({ certFile, keyFile, caFile }: NonNullable<UpstreamEntry['tls']>): UpstreamTls {
    if ((certFile === undefined) !== (keyFile === undefined)) throw this.error('tls must have certFile and keyFile, or neither')
    const read = (path: string | undefined) =>
      path === undefined ? undefined : this.attempt('tls', () => contentOf(path, this.source.readFile))
    return { cert: read(certFile), key: read(keyFile), ca: read(caFile) }
  }

  private header(member: Member, given: string): string {
    const value = this.resolve(member, given)
    if (!/^[\x20-\x7e]+$/.test(value)) throw this.error(`${member} must have values of printable ASCII`)
    return value
  }

  private resolve(member: Member, given: string): string {
    return this.attempt(member, () => resolveReference(given, this.source))
  }

  private attempt<T>(member: Member, run: () => T): T {
    try {
      return run()
    } catch (error) {
      throw this.error(`${member} ${error instanceof Error ? error.message : 'cannot be read'}`)
    }
  }

  private refuse(member: Member): never {
    throw this.wrong(member)
  }

  private wrong(member: Member): Error {
    return this.error(`${member} must be ${RIGHT_MEMBERS[member]}`)
  }

  private error(text: string): Error {
    return new Error(`${this.label}: ${text}`)
  }
}

function memberOf(name: PropertyKey | undefined): Member | undefined {
  return (Object.keys(RIGHT_MEMBERS) as Member[]).find((member) => member === name)
}
