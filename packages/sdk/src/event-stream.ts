import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { contracted, replyOf } from './answer.js'
import { authorized, type Connection, type Given, request, unreachable } from './call.js'
import { type Message, messagesOf } from './server-sent-events.js'

export interface Listening {
  /** Takes up after the event with this id. */
  lastEventId?: string
  /** Ends the listening, also while nothing happens. */
  signal?: AbortSignal
}

type Heard = Given & Listening & { signal: AbortSignal }

interface Event {
  event: string
  id?: string
  data: unknown
}

/** Three times what a service lets pass without a sign of life. */
const SILENCE_MS = 45_000
const RETRY_MS = 2_000

/** How far the caller was told, and how long to wait before one asks for more. */
interface Place {
  isBegun: boolean
  id?: string
  retryMs: number
}

/** What a stream tells, until the caller has enough. One that breaks off is opened again where it ended; what is refused is thrown. */
export async function* listen(endpoint: EndpointSpec, connection: Connection, given: Given & Listening = {}): AsyncGenerator<Event, void> {
  const { signal = new AbortController().signal } = given
  const place: Place = { isBegun: false, id: given.lastEventId, retryMs: RETRY_MS }
  while (!signal.aborted) {
    try {
      yield* eventsFrom(place, endpoint, connection, { ...given, signal })
    } catch (error) {
      if (!signal.aborted && !(place.isBegun && isPassing(error))) throw error
    }
    await pause(place.retryMs, signal)
  }
}

async function* eventsFrom(place: Place, endpoint: EndpointSpec, connection: Connection, given: Heard): AsyncGenerator<Event, void> {
  for await (const message of messages(endpoint, connection, { ...given, lastEventId: place.id })) {
    place.isBegun = true
    place.id = message.id ?? place.id
    place.retryMs = message.retryMs ?? place.retryMs
    const event = eventOf(endpoint, message)
    if (event) yield { ...event, id: place.id }
  }
}

/** Those of one connection, which ends when it has been silent for too long. */
async function* messages(endpoint: EndpointSpec, connection: Connection, given: Heard): AsyncGenerator<Message, void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), connection.timeoutMs)
  const signal = AbortSignal.any([given.signal, silence.signal])
  const headers = { accept: 'text/event-stream', ...(given.lastEventId && { 'last-event-id': given.lastEventId }) }
  try {
    const response = await authorized(endpoint, connection, given, (token) =>
      request(endpoint, connection, { ...given, token, headers, signal }),
    )
    if (response.status >= 400) replyOf(endpoint, { status: response.status, headers: response.headers, text: await response.text() })
    for await (const message of messagesOf(response.body)) {
      clearTimeout(timer)
      yield message
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw unreachable(connection.url, cause)
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** What this version does not know is left out. */
function eventOf({ emits = {}, method, path }: EndpointSpec, { event = 'message', data }: Message): Event | undefined {
  const schema = Object.hasOwn(emits, event) ? emits[event] : undefined
  if (!schema || data === undefined) return undefined
  return { event, data: contracted(schema, data, `An event of ${method} ${path}`) }
}

function isPassing(error: unknown): boolean {
  return error instanceof Problem && error.code !== 'InvalidReply' && (error.status >= 500 || error.status === 429)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
