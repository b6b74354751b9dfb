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
}

const FORM = '[name=]http(s)://...[+ws(s)://...][#archive][#priority=2]'
// A name is a label of metrics.
const NAMED = /^([a-z0-9][a-z0-9_-]{0,31})=(.*)$/s
const HTTP = /^https?:$/
const WEB_SOCKET = /^wss?:$/
const MAX_PRIORITY = 100

/** Reads `[name=]http(s)://...[+ws(s)://...][#archive][#priority=2]`, with commas between. Errors name an upstream by its position only. */
export function parseUpstreams(text: string): UpstreamConfig[] {
  // A comma may also be part of a URL.
  const entries = text.split(/,(?=\s*(?:[a-z0-9_-]+=)?https?:\/\/|\s*$)/i).map((entry) => entry.trim())
  if (entries.at(-1) === '') entries.pop()
  if (entries.length === 0) throw new Error(`names no upstream; expected is ${FORM}, with commas between`)
  const upstreams = entries.map(parseUpstream)
  const names = new Set<string>()
  for (const { name } of upstreams) {
    if (names.has(name)) throw new Error(`has two upstreams named "${name}"`)
    names.add(name)
  }
  return upstreams
}

function parseUpstream(entry: string, index: number): UpstreamConfig {
  const refuse = (reason: string): never => {
    throw new Error(`upstream ${index + 1} ${reason}; expected is ${FORM}`)
  }
  const [, given, rest = entry] = NAMED.exec(entry) ?? []
  const [addresses = '', ...flags] = rest.split('#')
  const [, http = addresses, webSocket] = /^(.*?)\+(wss?:\/\/.*)$/s.exec(addresses) ?? []
  const url = parseUrl(http, HTTP) ?? refuse('has no valid http:// or https:// address')
  const webSocketUrl =
    webSocket === undefined ? undefined : (parseUrl(webSocket, WEB_SOCKET) ?? refuse('has no valid ws:// or wss:// address'))
  return { name: given ?? `upstream-${index + 1}`, url, webSocketUrl, ...parseFlags(flags, refuse) }
}

function parseUrl(text: string, protocols: RegExp): string | undefined {
  const url = URL.parse(text)
  return url && protocols.test(url.protocol) ? url.href : undefined
}

function parseFlags(flags: readonly string[], refuse: (reason: string) => never): Pick<UpstreamConfig, 'archive' | 'priority'> {
  let archive = false
  let priority = 0
  for (const flag of flags) {
    const digits = /^priority=(\d{1,3})$/.exec(flag)?.[1]
    if (flag === 'archive') archive = true
    else if (digits !== undefined && Number(digits) <= MAX_PRIORITY) priority = Number(digits)
    // What follows a # may be the end of a key.
    else refuse(`has an unknown flag after #`)
  }
  return { archive, priority }
}
