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
export function securityEventOf(request: FastifyRequest, reply: FastifyReply, to: AuditedService): SecurityEvent | undefined {
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
