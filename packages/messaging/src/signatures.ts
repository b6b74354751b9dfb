import { hash } from 'node:crypto'
import type { MsgHdrs } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { DomainEvent } from '@trestle/contracts/message'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { RootKey, TrustRoots } from '@trestle/runtime/root-key'
import { Counter } from 'prom-client'
import { MessagingOptions } from './messaging-options.js'

export const NONCE = 'Nonce'
export const SIGNATURE = 'Signature'
const SIGNED_AT = 'Signed-At'
const MESSAGE_ID = 'Nats-Msg-Id'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/**
 * Until when a signed event takes effect. Stored: longer than a stream keeps it (7 days); and as it may be published, and signed, again for
 * a day, less by a day than an inbox remembers it (9 days). Live: as far as clocks may differ.
 */
export const MAX_AGE_MS = { stored: 8 * DAY_MS, live: 5 * MINUTE_MS }

/** What a reply is bound to: no reply to another request passes for it, nor an earlier one to the same. */
interface Exchange {
  readonly subject: string
  readonly nonce: string
  readonly request: Uint8Array
}

interface OutgoingEvent {
  readonly subject: string
  readonly id: string
  readonly body: string
}

interface IncomingEvent {
  readonly headers?: MsgHdrs | undefined
  readonly data: Uint8Array
}

/** Signs what accounts says about rights, and refuses at the others what accounts has not signed (decision 30). */
@Injectable()
export class Signatures {
  readonly #roots: TrustRoots
  readonly #key: RootKey | undefined
  readonly #refusals: Counter<'subject' | 'reason'>
  readonly #logged = new Set<string>()

  constructor(
    { trustRoots, rootKey }: MessagingOptions,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#roots = new TrustRoots(trustRoots)
    this.#key = rootKey === undefined ? undefined : new RootKey(rootKey)
    this.#refusals = new Counter({
      name: 'signature_refusals_total',
      help: 'Replies and domain events about rights that were refused: unsigned, forged or stale.',
      labelNames: ['subject', 'reason'],
      registers: [metrics.registry],
    })
  }

  /** The signature of a reply; none without the root key, or for a caller that sent no nonce. */
  signReply(exchange: Exchange, reply: string): string | undefined {
    return exchange.nonce ? this.#key?.sign(replyStatement(exchange, Buffer.from(reply))) : undefined
  }

  acceptsReply(exchange: Exchange, reply: Uint8Array, signature: string | undefined): boolean {
    return this.#accepts(exchange.subject, replyStatement(exchange, reply), signature)
  }

  /** The headers that sign an event at its publication, so that an event waiting in the outbox survives a rotation of the root. */
  eventHeaders({ subject, id, body }: OutgoingEvent): Record<string, string> {
    if (!this.#key) return {}
    const at = new Date().toISOString()
    return { [SIGNED_AT]: at, [SIGNATURE]: this.#key.sign(eventStatement([subject, id, at], Buffer.from(body))) }
  }

  /** Whether an event may take effect: of those that must be signed, the ones that are, and that no inbox has forgotten. */
  acceptsEvent({ subject, signedBy }: DomainEvent, { headers, data }: IncomingEvent, use: keyof typeof MAX_AGE_MS): boolean {
    if (!signedBy) return true
    const [id = '', at = '', signature] = [MESSAGE_ID, SIGNED_AT, SIGNATURE].map((name) => headers?.get(name))
    if (!this.#accepts(subject, eventStatement([subject, id, at], data), signature)) return false
    return Date.now() - Date.parse(at) <= MAX_AGE_MS[use] || this.#refuse(subject, 'stale')
  }

  #accepts(subject: string, statement: Uint8Array, signature: string | undefined): boolean {
    if (!signature) return this.#refuse(subject, 'unsigned')
    return this.#roots.verify(statement, signature) || this.#refuse(subject, 'forged')
  }

  /** Logged once: whoever can send one such message can send a million. */
  #refuse(subject: string, reason: 'unsigned' | 'forged' | 'stale'): false {
    this.#refusals.inc({ subject, reason })
    if (!this.#logged.has(`${subject} ${reason}`)) this.logger.error({ subject, reason }, 'a message that accounts must sign was refused')
    this.#logged.add(`${subject} ${reason}`)
    return false
  }
}

// The first line tells the two apart, and from whatever else the key may sign one day; JSON has no line end, so that each part has one place.
function replyStatement({ subject, nonce, request }: Exchange, reply: Uint8Array): Buffer {
  return statement('trestle reply v1', [subject, nonce, hash('sha256', request, 'base64url')], reply)
}

function eventStatement(parts: readonly string[], body: Uint8Array): Buffer {
  return statement('trestle event v1', parts, body)
}

function statement(kind: string, parts: readonly string[], body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${kind}\n${JSON.stringify(parts)}\n`), body])
}
