import { isDeepStrictEqual } from 'node:util'
import { PROVIDER_NAMES, type ProvidedNodes, providedNodes } from './providers/provider-url.js'

/** A node behind the gateway. */
export interface UpstreamConfig {
  readonly name: string
  /** May hold credentials, in its authority or its path: it is in no log, metric or error. */
  readonly url: string
  readonly webSocketUrl?: string
  /** Has the state of every block, not only of the newest. */
  readonly archive: boolean
  /** Those of a higher priority are asked first. */
  readonly priority: number
  /** What it is asked of the calls that those of its priority share; 1 if left out. */
  readonly weight?: number
  /** What a call to it costs, beside that of the others; 1 if left out. */
  readonly cost?: number
  /** It is asked only where none without a budget can answer, and no more than this. */
  readonly budget?: BudgetTerms
  /** Sent with every request, credentials among them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly tls?: UpstreamTls
  /** The address of a proxy that connects us, by CONNECT. */
  readonly proxy?: string
  /** Its answers may be compressed. */
  readonly compression?: boolean
  /** Calls a second. */
  readonly rateLimit?: number
  /** The first block that it has. */
  readonly firstBlock?: number
  readonly methods?: MethodRules
  /** It is followed and not asked. */
  readonly cordon?: boolean
  /** This share of the calls is also sent to it, from 0 to 1. Its answers are compared and never given. */
  readonly shadow?: number
}

/** What may be asked in a month of UTC, of all upstreams that name it; each call is its `cost`. */
export interface BudgetTerms {
  readonly name: string
  readonly perMonth: number
}

/** In PEM. */
export interface UpstreamTls {
  readonly cert?: string
  readonly key?: string
  /** The authorities that sign its certificate, if not public ones. */
  readonly ca?: string
}

/** Names of methods, or beginnings such as `debug_*`. */
export interface MethodRules {
  /** Only these. */
  readonly allowed?: readonly string[]
  readonly refused?: readonly string[]
}

/** What decides how it is reached: where one of these is another, so are its connections. */
export function connectionOf({ url, webSocketUrl, headers, tls, proxy, compression = false }: UpstreamConfig) {
  return { url, webSocketUrl, headers, tls, proxy, compression }
}

/** The names of what differs. */
export function changesBetween(before: readonly UpstreamConfig[], after: readonly UpstreamConfig[]) {
  const [old, now] = [new Map(before.map((each) => [each.name, each])), new Map(after.map((each) => [each.name, each]))]
  const both = [...now.keys()].filter((name) => old.has(name))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: both.filter((name) => !isDeepStrictEqual(old.get(name), now.get(name))),
  }
}

const FORM = '[name=]http(s)://...[+ws(s)://...][#archive][#priority=2], or a provider with a key, as alchemy://KEY'
// A name is a label of metrics.
const NAMED = /^([a-z0-9][a-z0-9_-]{0,31})=(.*)$/s
export const HTTP = /^https?:$/
export const WEB_SOCKET = /^wss?:$/
const MAX_PRIORITY = 100
const ENTRY_BREAK = new RegExp(`,(?=\\s*(?:[a-z0-9_-]+=)?(?:https?|${PROVIDER_NAMES.join('|')})://|\\s*$)`, 'i')

/** What holds for all upstreams of a deployment. */
export interface UpstreamsContext {
  readonly chainId: number
  /** Of upstreams that name none. */
  readonly proxy?: string
}

/** Reads `[name=]http(s)://...[+ws(s)://...][#archive][#priority=2]`, with commas between. Errors name an upstream by its position only. */
export function parseUpstreams(text: string, { chainId, proxy }: UpstreamsContext): UpstreamConfig[] {
  // A comma may also be part of a URL.
  const entries = text.split(ENTRY_BREAK).map((entry) => entry.trim())
  if (entries.at(-1) === '') entries.pop()
  if (entries.length === 0) throw new Error(`names no upstream; expected is ${FORM}, with commas between`)
  const upstreams = entries.flatMap((entry, index) => parseUpstream(entry, index, chainId))
  checkNames(upstreams)
  return proxy === undefined ? upstreams : upstreams.map((upstream) => ({ ...upstream, proxy }))
}

export function checkNames(upstreams: readonly UpstreamConfig[]): void {
  const names = new Set<string>()
  for (const { name } of upstreams) {
    if (names.has(name)) throw new Error(`has two upstreams named "${name}"`)
    names.add(name)
  }
}

function parseUpstream(entry: string, index: number, chainId: number): UpstreamConfig[] {
  const refuse = (reason: string): never => {
    throw new Error(`upstream ${index + 1} ${reason}; expected is ${FORM}`)
  }
  const [, given, rest = entry] = NAMED.exec(entry) ?? []
  const [addresses = '', ...flags] = rest.split('#')
  const [, http = addresses, webSocket] = /^(.*?)\+(wss?:\/\/.*)$/s.exec(addresses) ?? []
  const { archive, priority } = parseFlags(flags, refuse)
  const webSocketUrl =
    webSocket === undefined ? undefined : (parseUrl(webSocket, WEB_SOCKET) ?? refuse('has no valid ws:// or wss:// address'))
  const provided = attempt(() => providedNodes(http, chainId), refuse)
  if (provided) {
    const name = given ?? provided.provider
    return upstreamsOfProvider(provided, { name, archive, priority: priority ?? provided.priority, ...(webSocketUrl && { webSocketUrl }) })
  }
  const url = parseUrl(http, HTTP) ?? refuse('has no valid http:// or https:// address')
  return [{ name: given ?? `upstream-${index + 1}`, url, webSocketUrl, archive, priority: priority ?? 0 }]
}

/** One for each of the nodes; several are numbered. */
export function upstreamsOfProvider(
  { endpoints }: Pick<ProvidedNodes, 'endpoints'>,
  config: Omit<UpstreamConfig, 'url'>,
): UpstreamConfig[] {
  const nameOf = (index: number) => (endpoints.length > 1 ? `${config.name}-${index + 1}` : config.name)
  return endpoints.map((endpoint, index) => ({ ...endpoint, ...config, url: endpoint.url, name: nameOf(index) }))
}

function attempt<T>(run: () => T, refuse: (reason: string) => never): T {
  try {
    return run()
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'is wrong')
  }
}

export function parseUrl(text: string, protocols: RegExp): string | undefined {
  const url = URL.parse(text)
  return url && protocols.test(url.protocol) ? url.href : undefined
}

function parseFlags(flags: readonly string[], refuse: (reason: string) => never): { archive: boolean; priority?: number } {
  let archive = false
  let priority: number | undefined
  for (const flag of flags) {
    const digits = /^priority=(\d{1,3})$/.exec(flag)?.[1]
    if (flag === 'archive') archive = true
    else if (digits !== undefined && Number(digits) <= MAX_PRIORITY) priority = Number(digits)
    // What follows a # may be the end of a key.
    else refuse(`has an unknown flag after #`)
  }
  return { archive, priority }
}
