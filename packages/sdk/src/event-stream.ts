import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { contracted, type Received, replyOf } from './answer.js'
import { authorized } from './call.js'
import type { Connection, Given } from './connection.js'
import { request, type Sent, unreachable } from './request.js'
import { backOffMs, retryAfterMs } from './retry.js'
import { type Message, messagesOf } from './server-sent-events.js'

export interface Listening {
  /** Takes up after the event with this id. */
  lastEventId?: string
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
/** However long it is asked to stay away. */
const LONGEST_MS = 60_000

/** How far the caller was told, and how long to wait before one asks for more. */
interface Place {
  isBegun: boolean
  /** Of tries to begin. */
  failures: number
  id?: string
  retryMs: number
}

/** What a stream tells, until the caller has enough. One that breaks off is opened again where it ended; what is refused is thrown. */
export async function* listen(endpoint: EndpointSpec, connection: Connection, given: Given & Listening = {}): AsyncGenerator<Event, void> {
  const { signal = new AbortController().signal } = given
  const place: Place = { isBegun: false, failures: 0, id: given.lastEventId, retryMs: RETRY_MS }
  for (;;) {
    signal.throwIfAborted()
    let waitMs: number | undefined
    try {
      yield* eventsFrom(place, endpoint, connection, { ...given, signal })
    } catch (error) {
      signal.throwIfAborted()
      waitMs = waitAfter(error, place, connection)
    }
    await connection.pacing.sleep(waitMs ?? place.retryMs, signal)
  }
}

async function* eventsFrom(place: Place, endpoint: EndpointSpec, connection: Connection, given: Heard): AsyncGenerator<Event, void> {
  for await (const message of messages(endpoint, connection, { ...given, lastEventId: place.id })) {
    given.signal.throwIfAborted()
    place.isBegun = true
    place.id = message.id ?? place.id
    place.retryMs = message.retryMs ?? place.retryMs
    const event = eventOf(endpoint, message)
    if (event) yield { ...event, id: place.id }
  }
}

/** Throws what waiting does not help: of a stream that has not begun all but a few failures of the platform, later only what it refuses. */
function waitAfter(error: unknown, place: Place, { retries, pacing }: Connection): number {
  const isPassing =
    error instanceof Problem && error.code !== 'InvalidReply' && (error.status >= 500 || (place.isBegun && error.status === 429))
  if (!isPassing || (!place.isBegun && ++place.failures > retries)) throw error
  const ownMs = place.isBegun ? place.retryMs : backOffMs(place.failures, pacing.random)
  return Math.max(ownMs, Math.min(retryAfterMs(error) ?? 0, LONGEST_MS))
}

/** Those of one connection, which ends when it has been silent for too long. */
async function* messages(endpoint: EndpointSpec, connection: Connection, given: Heard): AsyncGenerator<Message, void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), connection.timeoutMs)
  const signal = AbortSignal.any([given.signal, silence.signal])
  const headers = { accept: 'text/event-stream', ...(given.lastEventId && { 'last-event-id': given.lastEventId }) }
  try {
    const answer = await authorized(endpoint, connection, { ...given, signal }, (token) =>
      opened(endpoint, connection, { ...given, token, headers, signal }),
    )
    if (answer.status >= 400) replyOf(endpoint, answer)
    for await (const message of messagesOf(answer.body)) {
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

/** The text of a refusal is read, a stream is not. */
async function opened(endpoint: EndpointSpec, connection: Connection, given: Sent): Promise<Received & Pick<Response, 'body'>> {
  const response = await request(endpoint, connection, given)
  const { status, headers, body } = response
  return { status, headers, body, text: response.ok ? '' : await response.text() }
}

/** What this version does not know is left out. */
function eventOf({ emits = {}, method, path }: EndpointSpec, { event = 'message', data }: Message): Event | undefined {
  const schema = Object.hasOwn(emits, event) ? emits[event] : undefined
  if (!schema || data === undefined) return undefined
  return { event, data: contracted(schema, data, `An event of ${method} ${path}`) }
}
