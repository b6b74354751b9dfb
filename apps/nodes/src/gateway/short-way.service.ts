import type { IncomingMessage } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { DirectAnswer } from '@trestle/runtime/http-adapter'
import { Readiness } from '@trestle/runtime/readiness'
import { Gateway } from './gateway.service.js'
import { LiveWorkloads } from './live-workloads.engine.js'

const PATH = /^\/rpc\/([a-z]+-[0-9a-f-]{36})$/
// A larger body goes the long way, where its size is watched.
const MOST_BYTES = 64 * 1024

/**
 * The usual call, answered before Fastify sees it: of a holding that is in memory and does not ask where calls come from. The door would
 * answer it just the same, and answers all others.
 */
@Injectable()
export class ShortWay {
  constructor(
    private readonly holdings: LiveWorkloads,
    private readonly gateway: Gateway,
    private readonly readiness: Readiness,
  ) {}

  /** Undefined for whatever is not usual. */
  find(request: IncomingMessage, url: string): DirectAnswer | undefined {
    if (!isUsual(request) || this.readiness.stopping) return undefined
    const id = PATH.exec(url)?.[1]
    const holding = id === undefined ? undefined : this.holdings.known(id)
    if (!holding || holding.allowedIps) return undefined
    const address = () => request.socket.remoteAddress ?? ''
    return (response, headers) => {
      read(request, (body) => void this.gateway.serve(holding.id, '', { request, response, headers, body, address }))
    }
  }
}

function isUsual({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.upgrade === undefined && Number(headers['content-length']) <= MOST_BYTES
}

/** Of a body that breaks off nothing is told: nobody is there any more. */
function read(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  let body: Buffer | undefined
  request.on('data', (chunk: Buffer) => {
    body = body ? Buffer.concat([body, chunk]) : chunk
  })
  request.on('end', () => done(body))
}
