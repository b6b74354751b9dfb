import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Authenticator } from '@trestle/auth/authenticator'
import { MAX_USER_STREAMS } from '@trestle/contracts/btc-connect/events'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Readiness } from '@trestle/runtime/readiness'
import { clientAddressOf } from '@trestle/runtime/request'
import type { FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.engine.js'

/** For one replica. */
const MAX_STREAMS_IN_ALL = 2000
/** Of several users behind one address; for one replica, too. */
const MAX_ADDRESS_STREAMS = 100
const WATCH_MS = 1000

export type Bearer = Pick<FastifyRequest, 'raw' | 'ip' | 'ips'>

/** The open streams of this replica. A stream ends when the token that opened it becomes invalid. */
@Injectable()
export class StreamRegistry implements OnApplicationBootstrap {
  private readonly open = new Map<EventStream, Bearer>()

  constructor(
    private readonly authenticator: Authenticator,
    private readonly readiness: Readiness,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    const timer = setInterval(() => this.watch(), WATCH_MS).unref()
    this.lifecycle.onDrain(() => clearInterval(timer))
  }

  /** Problem `TooManyStreams` if the user or this replica has too many. */
  add(stream: EventStream, bearer: Bearer): void {
    const address = clientAddressOf(bearer)
    const fromAddress = [...this.open.values()].filter((each) => clientAddressOf(each) === address).length
    if (fromAddress >= MAX_ADDRESS_STREAMS) throw tooManyFromAddress()
    const ofUser = this.all().filter(({ userId }) => userId === stream.userId).length
    if (ofUser >= MAX_USER_STREAMS || this.open.size >= MAX_STREAMS_IN_ALL) throw tooMany()
    this.open.set(stream, bearer)
    stream.once('close', () => this.open.delete(stream))
  }

  all(): EventStream[] {
    return [...this.open.keys()]
  }

  endAll(): void {
    for (const stream of this.all()) stream.end()
  }

  private watch(): void {
    // A stopping process waits for every response to end, and a stream does not end by itself.
    if (this.readiness.stopping) this.endAll()
    for (const [stream, bearer] of this.open) {
      stream.beat(Date.now())
      void this.endUnlessAllowed(stream, bearer)
    }
  }

  /** Repeats the check of every request: an expired or revoked token ends its streams. */
  private async endUnlessAllowed(stream: EventStream, bearer: Bearer): Promise<void> {
    try {
      await this.authenticator.recheck(bearer, 'client')
    } catch (error) {
      if (error instanceof Problem && error.status < 500) stream.end()
    }
  }
}

function tooManyFromAddress(): Problem {
  const detail = `At most ${MAX_ADDRESS_STREAMS} streams of events can be open at once from one address; close one first.`
  return new Problem('too-many', 'TooManyStreams', detail, { headers: retryAfter(10) })
}

function tooMany(): Problem {
  return new Problem('too-many', 'TooManyStreams', `At most ${MAX_USER_STREAMS} streams of events can be open at once; close one first.`, {
    headers: retryAfter(10),
  })
}
