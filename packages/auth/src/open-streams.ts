import type { Readable } from 'node:stream'
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'
import { Authenticator, type TokenAccess } from './authenticator.js'

const CHECK_MS = 1_000

interface Reader {
  readonly request: Pick<FastifyRequest, 'raw'>
  readonly access: TokenAccess
  /** What else admitted the reader: throws a Problem once it would refuse. */
  readonly recheck?: () => Promise<void>
}

/** Bodies that may be sent for long after their readers were admitted. */
@Injectable()
export class OpenStreams implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #open = new Map<Readable, Reader>()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly authenticator: Authenticator) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref()
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer)
  }

  /** Breaks the stream off when its reader would be refused: it must not look whole. */
  guard<S extends Readable>(stream: S, reader: Reader): S {
    this.#open.set(stream, reader)
    return stream.once('close', () => this.#open.delete(stream))
  }

  private check(): void {
    for (const [stream, reader] of this.#open) void this.breakOffUnlessAllowed(stream, reader)
  }

  /** While nobody can say whether the reader is still allowed, the stream continues. */
  private async breakOffUnlessAllowed(stream: Readable, { request, access, recheck }: Reader): Promise<void> {
    try {
      await this.authenticator.recheck(request, access)
      await recheck?.()
    } catch (error) {
      if (error instanceof Problem && error.status < 500) stream.destroy(error)
    }
  }
}
