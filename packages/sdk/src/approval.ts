import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { problemOf, type ReceivedReply } from './answer.js'
import type { Connection, RequestInput } from './connection.js'
import { targetOf } from './request.js'

/** A request that a second person of an organization has to approve. */
export interface UnapprovedRequest {
  readonly organizationId: string
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Of the whole platform, with the query. */
  readonly path: string
  readonly body?: Record<string, unknown>
}

/**
 * Gets the approval that a call demands (problem `ApprovalRequired`), and returns its token, with which the call is repeated; or undefined where
 * there is none yet.
 */
export type Approve = (request: UnapprovedRequest) => Promise<string | undefined>

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
