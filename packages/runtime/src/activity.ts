import { randomUUID } from 'node:crypto'
import { OrganizationId } from '@trestle/contracts/accounts/organizations'
import type { Activity } from '@trestle/contracts/activity'
import type { Caller } from '@trestle/contracts/caller'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isSecretName } from './secret-names.js'

const OrganizationInPath = z.object({ id: OrganizationId })

/** Stores the activity records of a service; provided by the package that can. */
export abstract class ActivitySink {
  /** A `durable` record is stored once this resolves; a `batched` one may wait in memory for a moment. */
  abstract record(activity: Activity, recording: 'durable' | 'batched'): Promise<void> | void
}

interface RequestResult {
  request: FastifyRequest
  caller: Caller
  status: number
  service: string
  now: Date
}

/** The record of an authenticated request (interface 2.3). */
export function activityOf({ request, caller, status, service, now }: RequestResult): Activity {
  const { config, url } = request.routeOptions
  return {
    id: `event-${randomUUID()}`,
    user: caller.userId,
    organization: organizationOf(request, caller, status),
    service,
    input: {
      method: request.method,
      route: config.endpoint?.path ?? url,
      params: redacted(request.params),
      query: redacted(request.query),
    },
    output: {
      startTime: new Date(request.startedAt).toISOString(),
      endTime: now.toISOString(),
      httpStatusCode: status,
      bytesOut: request.bytesOut,
    },
    serviceData: {
      requestId: request.id,
      actor: { session: caller.sessionId, clientKey: caller.clientId, address: request.clientAddress },
      approval: caller.approval && { id: caller.approval.id, approvedBy: caller.approval.approverId },
      code: request.problemCode,
      ...request.serviceData,
    },
    createdAt: now.toISOString(),
  }
}

/**
 * Undefined where a caller acts for themself. Of an organization in the path only success proves that the caller may act in its name: otherwise
 * anybody could fill the list of any organization.
 */
function organizationOf(
  { routeOptions: { config }, params }: FastifyRequest,
  { organizationId }: Caller,
  status: number,
): string | undefined {
  const access = config.endpoint?.access
  if (typeof access !== 'object') return undefined
  if (access.organization !== 'path') return organizationId
  return status < 400 ? OrganizationInPath.safeParse(params).data?.id : undefined
}

// Credentials that their owner recognizes by their last characters.
const CREDENTIAL = /^projectId$/i
const MAX_LENGTH = 256

/** Parameters as they may be stored: without secrets, and shortened. */
export function redacted(parameters: unknown): Record<string, unknown> {
  const entries = Object.entries(parameters ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [shortened(name), redactedValue(name, value)]))
}

function redactedValue(name: string, value: unknown): unknown {
  if (CREDENTIAL.test(name)) return `...${String(value).slice(-4)}`
  return isSecretName(name) ? '[redacted]' : shortenedAll(value)
}

function shortenedAll(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 10).map((each) => shortened(String(each))) : shortened(String(value))
}

function shortened(text: string): string {
  // The cut may split a surrogate pair, and PostgreSQL refuses half of one.
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...`.toWellFormed() : text
}
