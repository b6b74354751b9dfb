import type { ResponseHeaders, ResponseReceiver } from './transport.js'
import { malformed } from './transport-fault.js'

type ResponseListener = Pick<ResponseReceiver, 'onHead' | 'onBody' | 'onEnd' | 'roomFor'>

type Part = 'head' | 'body' | 'body to the end' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'nothing'

// Of a head, or of a line between chunks.
const MAX_BYTES = 64 * 1024
// What is shorter arrives in one read.
const MIN_DIRECT_BYTES = 16 * 1024
const EMPTY = Buffer.alloc(0)
// RFC 9110 section 5.5: no control character but the tab is in a value, least of all NUL, CR or LF. Nor is one in a reason.
const STATUS = /^HTTP\/1\.([01]) (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/
// RFC 9112 section 7.1.1, without the blanks that it tells senders not to write.
const CHUNK = /^([0-9a-f]{1,12})(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"[\t\x20!\x23-\x5b\x5d-\x7e]*"))?)*$/i
const LENGTH = /^\d{1,15}$/

/** What a head says. */
interface ResponseHead {
  readonly text: string
  readonly status: number
  readonly headers: ResponseHeaders
  readonly length: number | undefined
  readonly isChunked: boolean
  readonly keptMs: number
}

/**
 * Reads the responses to GET and POST over one HTTP/1.1 connection. It refuses whatever two readers could understand differently
 * (RFC 9112 section 6.3): where one response ends another caller's begins. Throws a TransportFault.
 */
export class ResponseReader {
  /** How long the server keeps the connection, as it announces; infinite without an announcement, 0 where it closes it. */
  keptMs = 0
  private part: Part = 'nothing'
  /** Bytes of the body, or of its current chunk, still to come. */
  private left = 0
  /** The start of a part that has not arrived completely. */
  private partial = EMPTY
  private listener?: ResponseListener
  /** The last head: answers of one length within a second have the same, and to compare two costs a tenth of reading one. */
  private head?: ResponseHead

  /** The next response is this listener's. */
  expect(listener: ResponseListener): void {
    this.listener = listener
    this.part = 'head'
  }

  get isDone(): boolean {
    return this.part === 'nothing'
  }

  /** Where the rest of a long body, or of its current chunk, may be read to. */
  get target(): Buffer | undefined {
    const isLong = this.left >= MIN_DIRECT_BYTES && (this.part === 'body' || this.part === 'chunk')
    return isLong ? this.listener?.roomFor?.(this.left) : undefined
  }

  read(received: Buffer): void {
    const bytes = this.partial.length > 0 ? Buffer.concat([this.partial, received]) : received
    this.partial = EMPTY
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

  /** Where the next part begins; undefined where this one is not complete yet. */
  private readPart(bytes: Buffer, at: number): number | undefined {
    switch (this.part) {
      case 'head':
        return this.upTo('\r\n\r\n', bytes, at, (text) => this.readHead(text))
      case 'chunk size':
        return this.upTo('\r\n', bytes, at, (line) => this.readChunkSize(line))
      case 'chunk end':
        return this.upTo('\r\n', bytes, at, (line) => this.endChunk(line))
      case 'trailer':
        return this.upTo('\r\n', bytes, at, (line) => this.readTrailer(line))
      case 'nothing':
        throw malformed('more than was asked for')
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
    if (bytes.length > MAX_BYTES) throw malformed('a head without end')
    this.partial = Buffer.from(bytes)
  }

  private readHead(text: string): void {
    const head = this.head?.text === text ? this.head : headOf(text)
    this.head = head
    // The response is still to come.
    if (head.status < 200) return
    this.keptMs = head.keptMs
    this.listener?.onHead(head.status, head.headers, head.length)
    this.beginBody(head)
  }

  private beginBody({ status, isChunked, length }: ResponseHead): void {
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

  /** Its fields are of no use here. Those that say where a body ends do not belong there (RFC 9110 section 6.5.1). */
  private readTrailer(line: string): void {
    const name = FIELD.exec(line)?.[1]?.toLowerCase()
    if (line === '') this.finish()
    else if (name === undefined || name === 'content-length' || name === 'transfer-encoding') throw malformed('a broken trailer')
  }

  private finish(): void {
    const { listener } = this
    this.part = 'nothing'
    this.listener = undefined
    listener?.onEnd()
  }
}

function headOf(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, digits] = STATUS.exec(first) ?? []
  const status = Number(digits)
  if (!(status >= 100) || status === 101) throw malformed('what is no HTTP/1.1')
  const headers = headersOf(lines)
  // Of an interim response neither counts.
  if (status < 200) return { text, status, headers, length: undefined, isChunked: false, keptMs: 0 }
  return {
    text,
    status,
    headers,
    length: lengthOf(headers),
    isChunked: headers.has('transfer-encoding'),
    keptMs: keptMsOf(minor === '1', headers),
  }
}

function headersOf(lines: readonly string[]): ResponseHeaders {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, text] = FIELD.exec(line) ?? []
    if (name === undefined || text === undefined) throw malformed('a broken header')
    const key = name.toLowerCase()
    const value = withoutBlanks(text)
    const earlier = headers.get(key)
    headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

/** RFC 9110 section 5.5. By hand: a regular expression takes quadratic time for a long run of blanks in the middle. */
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
