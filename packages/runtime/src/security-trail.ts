import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { ProviderId } from '@trestle/contracts/accounts/identity-providers'
import { auditOf } from '@trestle/contracts/endpoint'
import { RECORDED_AS_FAILURE_ONLY, type SecurityEvent } from '@trestle/contracts/security-event'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redacted } from './activity.js'

/** Stores the security events of a service; provided by the package that can. */
export abstract class SecurityEventSink {
  /** Resolves once the event is stored. */
  abstract record(event: SecurityEvent): Promise<void>
}

/** Says under which name a request without a token was made, as a keyed hash; provided by the service that has such requests. */
export abstract class AttemptedName {
  abstract of(request: FastifyRequest): string | undefined
}

interface AuditedService {
  readonly service: string
  readonly attemptedName: AttemptedName | undefined
}

const Provider = z.object({ provider: ProviderId })
/** A device asks every few seconds whether its user has decided (RFC 8628): no failure. */
const WAITING: ReadonlySet<string> = new Set(['AuthorizationPending', 'SlowDown'])
const MAX_USER_AGENT = 160

/** What an answered request adds to the security log, as its endpoint declares. */
export function securityEventOf(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'statusCode'>,
  to: AuditedService,
): SecurityEvent | undefined {
  const { endpoint } = request.routeOptions.config
  const kind = endpoint && auditOf(endpoint)
  const outcome = reply.statusCode < 400 ? 'success' : 'failure'
  if (!kind || (outcome === 'success' && RECORDED_AS_FAILURE_ONLY.has(kind)) || WAITING.has(request.problemCode ?? '')) return undefined
  const isAnonymous = endpoint.access === 'public' || endpoint.access === 'basic'
  const { caller } = request
  // Without a valid token nobody acted, and nothing was at stake.
  if (!isAnonymous && !caller) return undefined
  return {
    id: `security-${randomUUID()}`,
    createdAt: new Date().toISOString(),
    kind,
    outcome,
    user: caller?.userId,
    session: caller?.sessionId,
    clientKey: caller?.clientId,
    attempted: isAnonymous ? to.attemptedName?.of(request) : undefined,
    clientAddress: request.clientAddress,
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT),
    service: to.service,
    method: request.method,
    route: endpoint.path,
    // Without a token, a path may name an e-mail address.
    target: isAnonymous ? providerOf(request) : targetOf(request),
    status: reply.statusCode,
    code: request.problemCode,
    requestId: request.id,
  }
}

interface AuditedRequest {
  readonly request: FastifyRequest
  readonly to: AuditedService
  isStored: boolean
}

const auditedRequests = new AsyncLocalStorage<AuditedRequest>()

/** Serves a request whose success the change that it makes may store with itself. */
export function serveAudited(request: FastifyRequest, to: AuditedService, serve: () => void): void {
  const { endpoint } = request.routeOptions.config
  if (endpoint && auditOf(endpoint)) auditedRequests.run({ request, to, isStored: false }, serve)
  else serve()
}

/** Whether the success of the request that is being served was stored with its change. */
export function isSuccessStored(): boolean {
  return auditedRequests.getStore()?.isStored ?? false
}

/**
 * The entry for the success of the request that is being served, to be stored in the transaction of its change: a crash right after it would lose the
 * entry otherwise. Undefined where there is none, or nobody is known yet who acts. Call `stored` after the commit.
 */
export function successOfRequest(): { readonly event: SecurityEvent; stored(): void } | undefined {
  const audited = auditedRequests.getStore()
  if (!audited || audited.isStored || !audited.request.caller) return undefined
  const { request, to } = audited
  const event = securityEventOf(request, { statusCode: request.routeOptions.config.endpoint?.status ?? 200 }, to)
  const stored = () => {
    audited.isStored = true
  }
  return event && { event, stored }
}

function targetOf({ params }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(redacted(params)).map(([name, value]) => [name, withoutAddress(String(value))]))
}

/** The identity provider of a sign-in: one of the operator's own names. */
function providerOf({ params }: FastifyRequest): Record<string, string> {
  const { data } = Provider.safeParse(params)
  return data ? { provider: data.provider } : {}
}

function withoutAddress(text: string): string {
  return text.includes('@') ? '[redacted]' : text
}

const WINDOW_MS = 60_000
const MAX_OF_ADDRESS = 60
const MAX_OF_ALL = 1000

/** Keeps a flood of failures from filling the log: so many a minute of one address, and of all addresses together. */
export class FailureLimit {
  private readonly failures = new Map<string, number>()
  private total = 0
  private startedAt = Number.NEGATIVE_INFINITY

  admits(address: string, now: number): boolean {
    if (now - this.startedAt >= WINDOW_MS) this.restart(now)
    const count = this.failures.get(address) ?? 0
    if (this.total >= MAX_OF_ALL || count >= MAX_OF_ADDRESS) return false
    this.failures.set(address, count + 1)
    this.total += 1
    return true
  }

  private restart(now: number): void {
    this.failures.clear()
    this.total = 0
    this.startedAt = now
  }
}
