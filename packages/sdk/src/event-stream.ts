import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { type ReceivedReply, replyOf, validated } from './answer.js'
import { withToken } from './call.js'
import type { Connection, RequestInput } from './connection.js'
import { type OutgoingRequest, sendRequest, unreachableProblem } from './request.js'
import { backOffMs, retryAfterMs } from './retry.js'
import { type EventMessage, messagesOf } from './server-sent-events.js'

export interface StreamOptions {
  /** Resumes after the event with this id. */
  lastEventId?: string
}

type StreamInput = RequestInput & StreamOptions & { signal: AbortSignal }

interface Event {
  event: string
  id?: string
  data: unknown
}

/** Three times the interval at which a service sends a comment to keep the connection open. */
const SILENCE_MS = 45_000
const RETRY_MS = 2_000
/** The upper limit of `Retry-After`. */
const MAX_RETRY_AFTER_MS = 60_000

/** The last event delivered, and the delay before reconnecting. */
interface StreamProgress {
  isBegun: boolean
  /** Failed attempts to open the stream. */
  failures: number
  id?: string
  retryMs: number
}

/** The events of a stream, until the caller ends the loop. A broken stream is reopened where it ended; a refusal is thrown. */
export async function* streamEvents(
  endpoint: EndpointSpec,
  connection: Connection,
  given: RequestInput & StreamOptions = {},
): AsyncGenerator<Event, void> {
  const { signal = new AbortController().signal } = given
  const place: StreamProgress = { isBegun: false, failures: 0, id: given.lastEventId, retryMs: RETRY_MS }
  for (;;) {
    signal.throwIfAborted()
    let waitMs: number | undefined
    try {
      yield* eventsOfConnection(place, endpoint, connection, { ...given, signal })
    } catch (error) {
      signal.throwIfAborted()
      waitMs = waitAfter(error, place, connection)
    }
    await connection.pacing.sleep(waitMs ?? place.retryMs, signal)
  }
}

async function* eventsOfConnection(
  place: StreamProgress,
  endpoint: EndpointSpec,
  connection: Connection,
  given: StreamInput,
): AsyncGenerator<Event, void> {
  for await (const message of messages(endpoint, connection, { ...given, lastEventId: place.id })) {
    given.signal.throwIfAborted()
    place.isBegun = true
    place.id = message.id ?? place.id
    place.retryMs = message.retryMs ?? place.retryMs
    const event = eventOf(endpoint, message)
    if (event) yield { ...event, id: place.id }
  }
}

/** Throws what a retry cannot mend: before the first event anything but a few failures of the platform, later only a refusal. */
function waitAfter(error: unknown, place: StreamProgress, { retries, pacing }: Connection): number {
  const isPassing =
    error instanceof Problem && error.code !== 'InvalidReply' && (error.status >= 500 || (place.isBegun && error.status === 429))
  if (!isPassing || (!place.isBegun && ++place.failures > retries)) throw error
  const ownMs = place.isBegun ? place.retryMs : backOffMs(place.failures, pacing.random)
  return Math.max(ownMs, Math.min(retryAfterMs(error) ?? 0, MAX_RETRY_AFTER_MS))
}

/** The events of one connection, which ends after too long a silence. */
async function* messages(endpoint: EndpointSpec, connection: Connection, given: StreamInput): AsyncGenerator<EventMessage, void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), connection.timeoutMs)
  const signal = AbortSignal.any([given.signal, silence.signal])
  const headers = { accept: 'text/event-stream', ...(given.lastEventId && { 'last-event-id': given.lastEventId }) }
  try {
    const answer = await withToken(endpoint, connection, { ...given, signal }, (token) =>
      openStream(endpoint, connection, { ...given, token, headers, signal }),
    )
    if (answer.status >= 400) replyOf(endpoint, answer)
    for await (const message of messagesOf(answer.body)) {
      clearTimeout(timer)
      yield message
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw unreachableProblem(connection.url, cause)
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** Reads the body of a refusal; that of a stream is left to the caller. */
async function openStream(
  endpoint: EndpointSpec,
  connection: Connection,
  given: OutgoingRequest,
): Promise<ReceivedReply & Pick<Response, 'body'>> {
  const response = await sendRequest(endpoint, connection, given)
  const { status, headers, body } = response
  return { status, headers, body, text: response.ok ? '' : await response.text() }
}

/** Events that this version does not know are left out. */
function eventOf({ emits = {}, method, path }: EndpointSpec, { event = 'message', data }: EventMessage): Event | undefined {
  const schema = Object.hasOwn(emits, event) ? emits[event] : undefined
  if (!schema || data === undefined) return undefined
  return { event, data: validated(schema, data, `An event of ${method} ${path}`) }
}
