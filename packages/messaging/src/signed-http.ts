import { randomBytes } from 'node:crypto'
import type { ReplyOf, RequestOf, ServiceRequest } from '@trestle/contracts/message'
import { JsonText } from '@trestle/runtime/internal-server'
import { SIGNATURE, type Signatures } from './signatures.js'

// A request over HTTP, for when NATS is away: the same signature over the same parts.

const TIMEOUT_MS = 3_000
const NONCE_PARAMETER = 'nonce'

/** Replies on the internal port. A caller of the release before sends no nonce, and reads no signature. */
export async function replyOverHttp<R extends ServiceRequest>(
  signatures: Signatures,
  request: R,
  { search, searchParams }: URL,
  handler: (data: RequestOf<R>) => Promise<ReplyOf<R>>,
): Promise<JsonText> {
  const data = request.request.parse(Object.fromEntries(searchParams)) as RequestOf<R>
  const text = JSON.stringify(request.reply.parse(await handler(data)))
  const exchange = { subject: request.subject, nonce: searchParams.get(NONCE_PARAMETER) ?? '', request: Buffer.from(search) }
  const signature = signatures.signReply(exchange, text)
  return new JsonText(text, signature ? { [SIGNATURE]: signature } : {})
}

/** Rejects for a reply that is not signed for this very request. */
export async function requestOverHttp<R extends ServiceRequest>(
  signatures: Signatures,
  request: R,
  url: URL,
  data: RequestOf<R>,
): Promise<ReplyOf<R>> {
  const nonce = randomBytes(16).toString('base64url')
  for (const [name, value] of Object.entries({ ...(data as object), [NONCE_PARAMETER]: nonce }))
    if (value) url.searchParams.set(name, value)
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`)
  const reply = await response.bytes()
  const exchange = { subject: request.subject, nonce, request: Buffer.from(url.search) }
  if (!signatures.acceptsReply(exchange, reply, response.headers.get(SIGNATURE) ?? undefined))
    throw new Error(`The reply of ${url.origin} is not signed for this request.`)
  return request.reply.parse(JSON.parse(new TextDecoder().decode(reply))) as ReplyOf<R>
}
