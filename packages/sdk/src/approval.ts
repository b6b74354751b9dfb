import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { problemOf, type ReceivedReply } from './answer.js'
import type { Connection, RequestInput, UnapprovedRequest } from './connection.js'
import { targetOf } from './request.js'

/** Undefined of a response that demands no approval. */
export function unapprovedRequest(
  endpoint: EndpointSpec,
  { basePath }: Connection,
  { given, received }: { given: RequestInput; received: ReceivedReply },
): UnapprovedRequest | undefined {
  const { method } = endpoint
  if (received.status !== 403 || method === 'GET') return undefined
  const { code, extensions } = problemOf(received)
  const organizationId = extensions?.organizationId
  if (code !== 'ApprovalRequired' || typeof organizationId !== 'string') return undefined
  const body = given.body === undefined ? {} : { body: Object.fromEntries(Object.entries(given.body ?? {})) }
  return { organizationId, method, path: basePath + targetOf(endpoint, given), ...body }
}
