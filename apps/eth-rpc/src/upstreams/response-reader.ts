import { UpstreamFault } from './fault.js'

/** By their names in lower case. */
export type ResponseHeaders = ReadonlyMap<string, string>

/** Whoever waits for a response. */
export interface ResponseListener {
  /** The length of the body is undefined where it is not said. */
  onHead(status: number, headers: ResponseHeaders, length: number | undefined): void
  /** The bytes are others once it has returned. */
  onBody(bytes: Buffer): void
  onEnd(): void
}

type Part = 'head' | 'body' | 'body to the end' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'nothing'

// Of a head, or of a line between chunks.
const MOST_BYTES = 64 * 1024
const EMPTY = Buffer.alloc(0)
const STATUS = /^HTTP\/1\.([01]) (\d{3})(?: |$)/
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/
const CHUNK = /^([0-9a-f]{1,12})[ \t]*(?:;|$)/i
const LENGTH = /^\d{1,15}$/

/**
 * Reads the responses that come over one HTTP/1.1 connection, each to a POST. It takes nothing that two could understand differently
 * (RFC 9112 section 6.3): where one answer ends another caller's begins. Throws an UpstreamFault.
 */
export class ResponseReader {
  /** For how long the server says that it keeps the connection, without end where it does not say; 0: it closes it. */
  keptMs = 0
  private part: Part = 'nothing'
  /** Bytes of the body, or of a chunk of it, that are still to come. */
  private left = 0
  /** The beginning of what has not come as a whole. */
  private begun = EMPTY
  private listener?: ResponseListener

  /** The next response is for this one. */
  expect(listener: ResponseListener): void {
    this.listener = listener
    this.part = 'head'
  }

  get isDone(): boolean {
    return this.part === 'nothing'
  }

  read(received: Buffer): void {
    const bytes = this.begun.length > 0 ? Buffer.concat([this.begun, received]) : received
    this.begun = EMPTY
    let at: number | undefined = 0
    while (at !== undefined && at < bytes.length) {
      const next = this.readPart(bytes, at)
      if (next === undefined) this.keep(bytes.subarray(at))
      at = next
    }
  }

  /** The connection has ended: whether that was the end of a response. */
  end(): boolean {
    if (this.part !== 'body to the end') return false
    this.finish()
    return true
  }

  /** Answers where the next part begins; undefined where this one has not come as a whole. */
  private readPart(bytes: Buffer, at: number): number | undefined {
    switch (this.part) {
      case 'head':
        return this.upTo('\r\n\r\n', bytes, at, (text) => this.readHead(text))
      case 'chunk size':
        return this.upTo('\r\n', bytes, at, (line) => this.readChunkSize(line))
      case 'chunk end':
        return this.upTo('\r\n', bytes, at, (line) => this.endChunk(line))
      case 'trailer':
        return this.upTo('\r\n', bytes, at, (line) => line === '' && this.finish())
      case 'nothing':
        throw malformed('more than it was asked for')
      default:
        return this.readBody(bytes, at)
    }
  }

  private upTo(end: string, bytes: Buffer, at: number, read: (text: string) => unknown): number | undefined {
    const to = bytes.indexOf(end, at, 'latin1')
    if (to === -1) return undefined
    read(bytes.toString('latin1', at, to))
    return to + end.length
  }

  private keep(bytes: Buffer): void {
    if (bytes.length > MOST_BYTES) throw malformed('a head without end')
    this.begun = Buffer.from(bytes)
  }

  private readHead(text: string): void {
    const [first = '', ...lines] = text.split('\r\n')
    const [, minor, digits] = STATUS.exec(first) ?? []
    const status = Number(digits)
    if (!(status >= 100) || status === 101) throw malformed('what is no HTTP/1.1')
    // The response is still to come.
    if (status < 200) return
    const headers = headersOf(lines)
    this.keptMs = keptMsOf(minor === '1', headers)
    const length = lengthOf(headers)
    this.listener?.onHead(status, headers, length)
    this.beginBody(status, headers.has('transfer-encoding'), length)
  }

  private beginBody(status: number, isChunked: boolean, length: number | undefined): void {
    this.left = length ?? 0
    if (status === 204 || status === 304 || length === 0) this.finish()
    else if (isChunked) this.part = 'chunk size'
    else this.part = length === undefined ? 'body to the end' : 'body'
  }

  private readBody(bytes: Buffer, at: number): number {
    const to = this.part === 'body to the end' ? bytes.length : Math.min(at + this.left, bytes.length)
    this.listener?.onBody(bytes.subarray(at, to))
    this.left -= to - at
    if (this.left > 0 || this.part === 'body to the end') return to
    if (this.part === 'chunk') this.part = 'chunk end'
    else this.finish()
    return to
  }

  private readChunkSize(line: string): void {
    const size = CHUNK.exec(line)?.[1]
    if (size === undefined) throw malformed('a chunk of unknown length')
    this.left = Number.parseInt(size, 16)
    this.part = this.left === 0 ? 'trailer' : 'chunk'
  }

  private endChunk(line: string): void {
    if (line !== '') throw malformed('a chunk longer than it said')
    this.part = 'chunk size'
  }

  private finish(): void {
    const { listener } = this
    this.part = 'nothing'
    this.listener = undefined
    listener?.onEnd()
  }
}

function headersOf(lines: readonly string[]): ResponseHeaders {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, text] = FIELD.exec(line) ?? []
    if (name === undefined || text === undefined) throw malformed('a broken header')
    const key = name.toLowerCase()
    const value = withoutBlanks(text)
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

/** RFC 9110 section 5.5; by hand, for an expression looks at each run of blanks within as often as it is long. */
function withoutBlanks(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text[from])) from++
  while (from < to && isBlank(text[to - 1])) to--
  return text.slice(from, to)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function lengthOf(headers: ResponseHeaders): number | undefined {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  const isSure =
    coding === undefined ? length === undefined || LENGTH.test(length) : length === undefined && coding.toLowerCase() === 'chunked'
  if (!isSure) throw malformed('a body of unknown length')
  return length === undefined ? undefined : Number(length)
}

/** RFC 9112 section 9.3. */
function keptMsOf(byDefault: boolean, headers: ResponseHeaders): number {
  const connection = headers.get('connection') ?? ''
  const isKept = byDefault || /\bkeep-alive\b/i.test(connection)
  if (!isKept || /\bclose\b/i.test(connection)) return 0
  const seconds = /\btimeout=(\d{1,9})\b/i.exec(headers.get('keep-alive') ?? '')?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}

function malformed(what: string): UpstreamFault {
  return new UpstreamFault('malformed', `sent ${what}`)
}
