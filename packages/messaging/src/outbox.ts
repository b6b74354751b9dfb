import { Injectable } from '@nestjs/common'
import type { DomainEvent } from '@trestle/contracts/message'
import type { z } from 'zod'
import { messageContext } from './message-context.js'
import { MessagingOptions } from './messaging-options.js'
import { OutboxRelay } from './outbox-relay.js'
import { storableJson } from './storable-json.js'
import { STREAM_HEADER, subjectOf } from './streams.js'

/** A transaction in progress, of pg or of Prisma. */
type OutboxTransaction =
  | { query(sql: string, values: unknown[]): Promise<unknown> }
  | { $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<unknown> }

// nats-server refuses more than 1 MB; jsonb writes a space after each comma and colon.
const MAX_BYTES = 500_000

const INSERT = 'INSERT INTO outbox (subject, payload, headers, key) VALUES ($1, $2::jsonb, $3::jsonb, $4)'

/** Publishes domain events: each if, and only if, the transaction it was added in commits. */
@Injectable()
export class Outbox {
  constructor(
    private readonly options: MessagingOptions,
    private readonly relay: OutboxRelay,
  ) {}

  /** Adds an event to a transaction. Call `wake` after the commit, or the event is published up to a second later. */
  async add<E extends DomainEvent>(transaction: OutboxTransaction, event: E, payload: z.input<E['payload']>): Promise<void> {
    const parsed = event.payload.parse(payload)
    const body = storableJson(parsed)
    if (Buffer.byteLength(body) > MAX_BYTES) throw new RangeError(`An event ${event.subject} is longer than ${MAX_BYTES} bytes.`)
    const headers = { ...messageContext(), [STREAM_HEADER]: event.stream }
    const values = [subjectOf(event, this.options.service), body, storableJson(headers), keyOf(event, parsed)]
    if ('query' in transaction) await transaction.query(INSERT, values)
    else await transaction.$executeRawUnsafe(INSERT, ...values)
  }

  wake(): void {
    this.relay.wake()
  }
}

function keyOf({ orderedBy }: DomainEvent, payload: unknown): string | null {
  if (orderedBy === undefined) return null
  return String(Object.entries(payload ?? {}).find(([member]) => member === orderedBy)?.[1])
}
