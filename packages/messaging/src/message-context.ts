import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { currentRequestId, requestIds } from '@trestle/runtime/request'

const REQUEST_ID = 'Request-Id'

/** Headers that tie a message to the work that sends it: the trace (W3C Trace Context) and the request id. */
export function messageContext(): Record<string, string> {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  const requestId = currentRequestId()
  return requestId ? { ...carrier, [REQUEST_ID]: requestId } : carrier
}

export function toHeaders(record: Readonly<Record<string, string>>): MsgHdrs {
  const result = headers()
  for (const [key, value] of Object.entries(record)) result.set(key, value)
  return result
}

export interface TracedMessage {
  readonly subject: string
  readonly headers?: MsgHdrs | undefined
}

/** Does the work as part of the trace and the request that sent the message. */
export function inContextOf<T>(message: TracedMessage, work: () => Promise<T>): Promise<T> {
  const parent = propagation.extract(context.active(), message.headers, {
    get: (carrier, key) => carrier?.get(key) || undefined,
    keys: (carrier) => carrier?.keys() ?? [],
  })
  const traced = () =>
    trace.getTracer('messaging').startActiveSpan(message.subject, { kind: SpanKind.CONSUMER }, parent, async (span) => {
      try {
        return await work()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  const requestId = message.headers?.get(REQUEST_ID)
  return requestId ? requestIds.run(requestId, traced) : traced()
}
