import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { nextQuery, problemOf, type ReceivedReply, replyOf, saysExpired } from './answer.js'
import { unapprovedRequest } from './approval.js'
import type { CallOptions, Connection, RequestInput } from './connection.js'
import { type OutgoingRequest, sendRequest, withNetworkProblems } from './request.js'
import { isRepeatable, withRetries } from './retry.js'
import { abortable } from './waiting.js'

/** The first may be too easy by the time it is solved. */
const MAX_PROOFS = 3

/** The reply, and the query of the next page. */
type Answer = { reply: unknown; next: URLSearchParams | undefined }

export async function call(endpoint: EndpointSpec, connection: Connection, given: RequestInput): Promise<Answer> {
  const received = await exchange(endpoint, connection, given)
  return { reply: replyOf(endpoint, received), next: nextQuery(received) }
}

/** The reply and the pages that follow it. */
export async function* pages(endpoint: EndpointSpec, connection: Connection, given: RequestInput): AsyncGenerator<unknown, void> {
  let query: RequestInput['query'] | undefined = given.query ?? {}
  while (query) {
    const answer: Answer = await call(endpoint, connection, { ...given, query })
    yield answer.reply
    query = answer.next
  }
}

/** Sends a request, with the proof or the approval that the response may ask for, and reads the response, a refusal included. */
export async function exchange(endpoint: EndpointSpec, connection: Connection, given: RequestInput): Promise<ReceivedReply> {
  const received = await exchangeWithStepUp(endpoint, connection, given)
  const unapproved = connection.approve && given.approval === undefined && unapprovedRequest(endpoint, connection, { given, received })
  const approval = unapproved && (await connection.approve?.(unapproved))
  return approval === undefined || approval === false ? received : exchangeWithStepUp(endpoint, connection, { ...given, approval })
}

async function exchangeWithStepUp(endpoint: EndpointSpec, connection: Connection, given: RequestInput): Promise<ReceivedReply> {
  const received = await exchangeWithProof(endpoint, connection, given)
  if (!endpoint.stepUp || !connection.stepUp || received.status !== 401 || problemOf(received).code !== 'StepUpRequired') return received
  const token = await connection.stepUp()
  return exchangeWithProof(endpoint, connection, { ...given, token: token ?? given.token })
}

async function exchangeWithProof(endpoint: EndpointSpec, connection: Connection, given: RequestInput): Promise<ReceivedReply> {
  let received = await exchangeOnce(endpoint, connection, given)
  for (let proofs = 0; proofs < MAX_PROOFS; proofs++) {
    const proof = await proofFor(received, given)
    if (proof === undefined) break
    received = await exchangeOnce(endpoint, connection, { ...given, body: Object.assign({}, given.body, { proofOfWork: proof }) })
  }
  return received
}

/** Undefined of a response that asks for none. */
async function proofFor(received: ReceivedReply, { signal, onProof: onProgress }: RequestInput): Promise<string | undefined> {
  if (received.status !== 403) return undefined
  // Few calls need it.
  const { challengeIn, solve } = await import('./proof-of-work.js')
  const challenge = challengeIn(received)
  return challenge && solve(challenge, { signal, onProgress })
}

/** Sends a request, with retries. Proofs are not timed: a machine or a person needs a while. */
async function exchangeOnce(endpoint: EndpointSpec, connection: Connection, given: RequestInput): Promise<ReceivedReply> {
  const { timeoutMs, pacing } = connection
  const endsAt = performance.now() + timeoutMs
  const patience = AbortSignal.timeout(timeoutMs)
  const signal = given.signal ? AbortSignal.any([given.signal, patience]) : patience
  signal.throwIfAborted()
  const sent = { ...given, headers: withIdempotencyKey(endpoint, given.headers), signal }
  const retries = isRepeatable(endpoint, sent.headers) ? connection.retries : 0
  const leftMs = () => endsAt - performance.now()
  const attempt = () => withToken(endpoint, connection, sent, (token) => send(endpoint, connection, { ...sent, token }))
  try {
    return await withRetries(attempt, { retries, leftMs, signal, pacing })
  } catch (cause) {
    if (!patience.aborted || cause !== patience.reason) throw cause
    throw new Problem('upstream-timeout', 'Timeout', `No answer within ${timeoutMs} ms.`, { cause })
  }
}

/** Does `work` with a token if the endpoint needs one, and once more with a newer token if a source's token is refused. */
export async function withToken<R extends ReceivedReply>(
  { access }: EndpointSpec,
  connection: Connection,
  given: CallOptions & { signal: AbortSignal },
  work: (token?: string) => Promise<R>,
): Promise<R> {
  const needsToken = access !== 'public' && access !== 'basic'
  const source = needsToken ? (given.token ?? connection.token) : undefined
  if (typeof source !== 'object') return work(source)
  // Other calls may be waiting for the same token: an abort ends the wait, not the request for the token.
  const token = await abortable(source.current(), given.signal)
  const received = await work(token)
  const isRefused = received.status === 401 || (received.status === 403 && saysExpired(received))
  return isRefused ? work(await abortable(source.renew(token), given.signal)) : received
}

async function send(endpoint: EndpointSpec, connection: Connection, given: OutgoingRequest): Promise<ReceivedReply> {
  const response = await sendRequest(endpoint, connection, given)
  const text = await withNetworkProblems(connection.url, given.signal, () => response.text())
  return { status: response.status, headers: response.headers, text }
}

/** Adds an idempotency key if the endpoint takes one, so that the call can be retried. */
function withIdempotencyKey({ headers: taken }: EndpointSpec, headers: Record<string, string> = {}): Record<string, string> {
  if (!taken || !('idempotency-key' in taken.shape) || headers['idempotency-key'] !== undefined) return headers
  // Not randomUUID, which pages have only over https.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return { ...headers, 'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') }
}
