import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

interface ReadEvent {
  readonly event?: string
  readonly id?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly data?: any
  /** The lines as they came. */
  readonly text: string
}

/** Reads a stream of server-sent events. */
export class EventReader {
  private readonly waiting: ((event: ReadEvent | undefined) => void)[] = []
  private readonly events: (ReadEvent | undefined)[] = []
  private rest = ''

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.take(chunk))
    response.once('close', () => this.give(undefined))
    response.on('error', () => {})
  }

  static async open(url: string, { token = 'ada', query = '', lastEventId = '' } = {}): Promise<EventReader> {
    const headers = { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) }
    const request = get(`${url}/api/v1/events${query}`, { headers, agent: false })
    request.on('error', () => {})
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return new EventReader(response)
  }

  /** The next one, or undefined where the stream has ended. */
  next(): Promise<ReadEvent | undefined> {
    if (this.events.length > 0) return Promise.resolve(this.events.shift())
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  /** The next so many. */
  async several(count: number): Promise<ReadEvent[]> {
    const taken: ReadEvent[] = []
    while (taken.length < count) taken.push((await this.next()) ?? { text: 'the end' })
    return taken
  }

  close(): void {
    this.response.destroy()
  }

  private take(chunk: string): void {
    const pieces = (this.rest + chunk).split('\n\n')
    this.rest = pieces.pop() ?? ''
    for (const piece of pieces) this.give(parsed(piece))
  }

  private give(event: ReadEvent | undefined): void {
    const waiting = this.waiting.shift()
    if (waiting) waiting(event)
    else this.events.push(event)
  }
}

function parsed(text: string): ReadEvent {
  const fields = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  const data = fields.get('data')
  return { text, event: fields.get('event'), id: fields.get('id'), data: data && JSON.parse(data) }
}
