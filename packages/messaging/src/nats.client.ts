import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices'
import type { Broadcast, ReplyOf, ServiceRequest } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { Observable } from 'rxjs'
import type { z } from 'zod'
import { Broadcasts } from './broadcasts.js'
import { decodeReply } from './envelope.js'
import { messageContext, toHeaders } from './message-context.js'
import { NatsConnection } from './nats-connection.js'
import { NONCE, SIGNATURE, Signatures } from './signatures.js'

const REPLY_TIMEOUT_MS = 500

/** Nest's microservice client over the NATS connection of this process. */
@Injectable()
export class NatsClient extends ClientProxy {
  constructor(
    private readonly connection: NatsConnection,
    private readonly broadcasts: Broadcasts,
    private readonly signatures: Signatures,
  ) {
    super()
  }

  /**
   * Sends a request, once subscribed to, and emits the reply of one replica of the other service.
   * Fails with the Problem that the replica threw, or with `ServiceUnreachable` when there is no reply within half a second.
   */
  override send<R extends ServiceRequest>(request: R, data: z.input<R['request']>): Observable<ReplyOf<R>> {
    return super.send(request, data)
  }

  /**
   * Publishes to every process of this service that listens now (`Broadcasts`).
   * A domain event is never emitted: it goes through the `Outbox`, in the transaction that makes it true.
   */
  override emit<T, B extends Broadcast>(broadcast: B, payload: z.input<B['payload']>): Observable<T> {
    return super.emit(broadcast, payload)
  }

  /** `NatsConnection` connects, and reconnects, by itself. */
  async connect(): Promise<void> {}

  close(): void {}

  unwrap<T>(): T {
    return this.connection.client as T
  }

  protected publish({ pattern, data }: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    this.request(pattern, data).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err }),
    )
    return () => {}
  }

  protected async dispatchEvent<T>({ pattern, data }: ReadPacket): Promise<T> {
    return this.broadcasts.publish(pattern, data) as T
  }

  private async request<R extends ServiceRequest>(request: R, data: z.input<R['request']>): Promise<ReplyOf<R>> {
    const { subject } = request
    const { client } = this.connection
    const body = JSON.stringify(request.request.parse(data))
    const nonce = request.signedBy && randomBytes(16).toString('base64url')
    // The library would queue the request until NATS is back; the caller is better off knowing now.
    if (!client) throw unreachable(subject, 'NATS is away')
    const options = { timeout: REPLY_TIMEOUT_MS, headers: toHeaders({ ...messageContext(), ...(nonce && { [NONCE]: nonce }) }) }
    const reply = await client.request(subject, body, options).catch((cause: unknown) => {
      throw unreachable(subject, cause)
    })
    const exchange = { subject, nonce: nonce ?? '', request: Buffer.from(body) }
    if (nonce && !this.signatures.acceptsReply(exchange, reply.data, reply.headers?.get(SIGNATURE)))
      throw unreachable(subject, 'the reply is not signed for this request')
    return decodeReply(request, reply.data)
  }
}

function unreachable(subject: string, cause: unknown): Problem {
  const service = subject.split('.', 1)[0]
  return new Problem('unavailable', 'ServiceUnreachable', `The ${service} service does not answer at the moment.`, {
    cause,
    headers: retryAfter(1),
  })
}
